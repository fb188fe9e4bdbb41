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

/** Since which height an open transaction has been seen to wait, and whether that is on record. */
interface Wait {
  readonly since: bigint;
  readonly isNoted: boolean;
}
export type Waits = ReadonlyMap<ChainRequestId, Wait>;

export interface WaitsSeen {
  readonly waits: Waits;
  /** those that wait for at least one whole block, to be put on record */
  readonly fresh: readonly FeeWait[];
  /** whether any on record is open no more */
  readonly isOver: boolean;
}

/**
 * Which transactions wait at a height, by what was seen before. Most land in the next block: those are never put on record.
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
 * Puts on record, for gateways to raise their fees, which transactions wait and since which block; on networks whose entry says that
 * fees are raised. Blocks are counted and not time, so that a node that is away makes nothing wait.
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
    // the entry had the field before
    if (before === undefined) await forgetFeeWaits(database, network);
    return new Map();
  }
  const { waits, fresh, isOver } = waitsAt(before ?? new Map(), open, view, height);
  if (fresh.length > 0) await noteFeeWaits(database, network, fresh);
  if (isOver || before === undefined) await forgetFeeWaits(database, network);
  return waits;
};
