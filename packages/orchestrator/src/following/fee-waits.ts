import type { ChainRequestId, Network } from "@conclave/custody";
import {
  type Database,
  type FeeWait,
  type FollowedRequest,
  forgetFeeWaits,
  noteFeeWaits,
} from "@conclave/platform";
import type { ServedChain } from "../chain-requests/served-chain.ts";
import { type ChainView, placesIn } from "./chain-view.ts";

/** The height since which an open transaction has been seen to wait, and whether that is recorded. */
interface Wait {
  readonly since: bigint;
  readonly isNoted: boolean;
}
export type Waits = ReadonlyMap<ChainRequestId, Wait>;

export interface WaitsSeen {
  readonly waits: Waits;
  /** transactions that wait for at least one whole block and are to be recorded */
  readonly fresh: readonly FeeWait[];
  /** whether a recorded one is no longer open */
  readonly isOver: boolean;
}

/**
 * Determines which transactions wait at a height, from the earlier rounds. Most land in the next block, and are never
 * recorded.
 * @param open signed requests that are not settled
 * @param view the last blocks, up to the height
 */
export const waitsAt = (
  before: Waits,
  open: readonly FollowedRequest[],
  view: ChainView,
  height: bigint,
): WaitsSeen => {
  const places = placesIn(view);
  const fresh: FeeWait[] = [];
  const waits = new Map<ChainRequestId, Wait>();
  for (const { id, txHash } of open) {
    const known = before.get(id);
    if (known?.isNoted !== true && places.has(txHash)) continue;
    const since = known?.since ?? height;
    const isFresh = known?.isNoted !== true && height > since;
    if (isFresh) fresh.push({ requestId: id, sinceHeight: since });
    waits.set(id, { since, isNoted: isFresh || known?.isNoted === true });
  }
  const isOver = [...before].some(([id, { isNoted }]) => isNoted && !waits.has(id));
  return { waits, fresh, isOver };
};

interface WaitWork {
  readonly database: Database;
  readonly network: Network;
  readonly chain: ServedChain;
}

/**
 * Records which transactions wait, and since which block, on networks that are configured to raise fees, so that
 * gateways can raise them. It counts blocks and not time, so that a node that is away makes no transaction wait.
 * @param before undefined in a follower's first round
 */
export const noteWaits = async (
  { database, network, chain }: WaitWork,
  before: Waits | undefined,
  open: readonly FollowedRequest[],
  view: ChainView,
  height: bigint,
): Promise<Waits> => {
  if (chain.node.network.feeBumps === undefined) {
    // the network was configured to raise fees earlier
    if (before === undefined) await forgetFeeWaits(database, network);
    return new Map();
  }
  const { waits, fresh, isOver } = waitsAt(before ?? new Map(), open, view, height);
  if (fresh.length > 0) await noteFeeWaits(database, network, fresh);
  if (isOver || before === undefined) await forgetFeeWaits(database, network);
  return waits;
};
