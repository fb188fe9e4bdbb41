import type { ChainRequestId } from "@conclave/custody";
import type { FollowedRequest } from "@conclave/platform";
import { blockIn, type ChainView, placesIn } from "./chain-view.ts";
import { LOOKS_A_ROUND, type Looks, whoseTurn } from "./turns.ts";

/** A request that no block tells of is looked at again after so long, while it is open and once it is settled. */
export const OPEN_AGAIN_MS = 1_000;
export const SETTLED_AGAIN_MS = 10_000;

/** Of those that blocks tell of so many are looked at in a round, the longest waiting first; the others come in the next. */
const TOLD_A_ROUND = 256;

/** What is known of a network in a round. */
export interface Known {
  readonly followed: readonly FollowedRequest[];
  readonly view: ChainView;
  /** the highest block whose transactions count as confirmed */
  readonly confirmedHeight: bigint;
  readonly looks: Looks;
  readonly nowMs: number;
}

export interface DueLooks {
  /** broadcast, and perhaps to be settled or sent again */
  readonly broadcasted: readonly ChainRequestId[];
  /** settled, and perhaps undone */
  readonly settled: readonly ChainRequestId[];
}

/**
 * Which requests are looked at now. Blocks that were read tell of most of them: a broadcast one is looked at once its block is
 * confirmed, a settled one once another block stands in the place of its own. The others have their turns, so many a round.
 */
export const dueOf = ({ followed, view, confirmedHeight, looks, nowMs }: Known): DueLooks => {
  const places = placesIn(view);
  const open = followed.filter(({ status }) => status === "Broadcasted");
  const landed = open.filter(
    ({ txHash }) => (places.get(txHash)?.height ?? confirmedHeight + 1n) <= confirmedHeight,
  );
  const unseen = open.filter(({ txHash }) => !places.has(txHash));
  const settled = followed.filter(({ status }) => status === "Confirmed" || status === "Failed");
  const undone = settled.filter((request) => standingOf(view, request) === "undone");
  const unknown = settled.filter((request) => standingOf(view, request) === "unknown");
  const turn = (requests: readonly FollowedRequest[], againMs: number, most: number) =>
    whoseTurn(
      requests.map(({ id }) => id),
      { looks, nowMs, againMs, most },
    );
  return {
    broadcasted: [...turn(landed, 0, TOLD_A_ROUND), ...turn(unseen, OPEN_AGAIN_MS, LOOKS_A_ROUND)],
    settled: [...turn(undone, 0, TOLD_A_ROUND), ...turn(unknown, SETTLED_AGAIN_MS, LOOKS_A_ROUND)],
  };
};

/** Whether the block that settled a request is on the chain, as far as its blocks were read. */
const standingOf = (
  view: ChainView,
  { blockNumber, blockHash }: FollowedRequest,
): "stands" | "undone" | "unknown" => {
  const block = blockNumber === undefined ? undefined : blockIn(view, blockNumber);
  if (block === undefined) return "unknown";
  return block.hash === blockHash ? "stands" : "undone";
};
