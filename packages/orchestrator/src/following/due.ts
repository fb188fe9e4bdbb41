import type { FollowedRequest } from "@conclave/platform";
import { blockIn, type ChainView, placesIn } from "./chain-view.ts";
import { type DueLook, type LookCause, type Turns, whoseTurn } from "./turns.ts";

/** The facts about a network that a round knows. */
export interface Known extends Turns {
  readonly followed: readonly FollowedRequest[];
  readonly view: ChainView;
  /** the highest block whose transactions count as confirmed */
  readonly confirmedHeight: bigint;
}

/**
 * The requests to look at now. For most of them the blocks that were read suffice: a broadcast request is due once its
 * block is confirmed, a settled one once another block is in the place of its own. The others are looked at in turns,
 * some each round.
 */
export const dueOf = (known: Known): readonly DueLook[] => {
  const { followed, view, confirmedHeight } = known;
  const places = placesIn(view);
  const open = followed.filter(({ status }) => status === "Broadcasted");
  const landed = open.filter(
    ({ txHash }) => (places.get(txHash)?.height ?? confirmedHeight + 1n) <= confirmedHeight,
  );
  const unseen = open.filter(({ txHash }) => !places.has(txHash));
  const settled = followed.filter(({ status }) => status === "Confirmed" || status === "Failed");
  const undone = settled.filter((request) => standingOf(view, request) === "undone");
  const unknown = settled.filter((request) => standingOf(view, request) === "unknown");
  const turn = (requests: readonly FollowedRequest[], cause: LookCause) => whoseTurn(requests, cause, known);
  return [
    ...turn(landed, "landed"),
    ...turn(undone, "undone"),
    ...turn(unseen, "unseen"),
    ...turn(unknown, "unknown"),
  ];
};

/** Whether the block that settled a request is on the chain, according to the blocks that were read. */
const standingOf = (
  view: ChainView,
  { blockNumber, blockHash }: FollowedRequest,
): "stands" | "undone" | "unknown" => {
  const block = blockNumber === undefined ? undefined : blockIn(view, blockNumber);
  if (block === undefined) return "unknown";
  return block.hash === blockHash ? "stands" : "undone";
};
