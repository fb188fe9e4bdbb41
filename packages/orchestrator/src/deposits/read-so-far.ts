import { followedSince, moveReadingOn, type ReadPlace } from "@conclave/platform";
import { chainReadAnew, chainReplaced, chainRewritten, chainShorter } from "../log/deposit-events.ts";
import type { DepositWatch } from "./deposit-watch.ts";
import { holds, holdsEachTime } from "./held-marks.ts";
import { STANDS_MS } from "./standing-verdict.ts";
import { shortlyBefore, whereReadingBegins } from "./where-reading-begins.ts";

/**
 * Goes back to a place and reads on from there at once, at most once in some minutes: two orchestrators whose nodes are
 * on different branches each read their own, and do not send each other back for ever.
 * @returns the place; undefined where it does not go back
 */
const goBack = async (
  { database, memory, monotonicMs, network, logger }: DepositWatch,
  from: ReadPlace,
  to: ReadPlace,
  wentBack: typeof chainRewritten,
): Promise<ReadPlace | undefined> => {
  const nowMs = monotonicMs();
  if (memory.wentBackMs !== undefined && nowMs - memory.wentBackMs < STANDS_MS) return;
  if (!(await moveReadingOn(database, network, from, to))) return;
  wentBack(logger, { network, read: from.height, from: to.height });
  memory.lookBack.forget();
  memory.forgotten.forget();
  memory.wentBackMs = nowMs;
  return to;
};

/**
 * The place where reading begins on a chain that has none of the blocks that were read; undefined while the node does
 * not show it.
 */
const anew = async (
  { chain, database, network, now }: DepositWatch,
  finalHeight: bigint,
): Promise<ReadPlace | undefined> => {
  const oldest = await followedSince(database, network);
  const found = await whereReadingBegins(chain.node, finalHeight, oldest, now());
  return found.ok ? { height: found.value.height, marks: [] } : undefined;
};

/**
 * Judges a chain that is shorter than the part of it that was read. Either it was started anew, as in development, or
 * the node is still loading its own chain, as after -reindex of bitcoind; then reading waits.
 */
const judgeShorter = async (
  watch: DepositWatch,
  place: ReadPlace,
  finalHeight: bigint,
): Promise<ReadPlace | undefined> => {
  const { chain, memory, monotonicMs, network, logger } = watch;
  const { verdict } = memory;
  // geth shows no block for minutes after a start, and reports that it is not syncing
  if (finalHeight <= 0n) return;
  const catchingUp = await chain.node.isCatchingUp?.();
  if (catchingUp !== undefined && (!catchingUp.ok || catchingUp.value)) {
    chainReadAnew(logger, { network, read: place.height, finalHeight });
    return;
  }
  if (!verdict.stands(`shorter than ${place.height}`, monotonicMs())) return;
  const to = await anew(watch, finalHeight);
  if (to === undefined) return;
  const least = shortlyBefore(finalHeight);
  const below = to.height < least ? to : { ...to, height: least };
  return goBack(watch, place, below, chainShorter);
};

/** Goes back to the last of the read blocks that a rewritten chain still has. */
const goBackToHeld = async (
  watch: DepositWatch,
  place: ReadPlace,
  finalHeight: bigint,
): Promise<ReadPlace | undefined> => {
  for (const [at, mark] of place.marks.entries()) {
    if (mark.height > finalHeight) continue;
    const held = await holdsEachTime(watch.chain.node, mark);
    if (held === "unclear") return;
    if (held !== "it") continue;
    const to = { height: mark.height, marks: place.marks.slice(at) };
    return goBack(watch, place, to, chainRewritten);
  }
  const to = await anew(watch, finalHeight);
  if (to === undefined) return;
  return goBack(watch, place, to, chainReplaced);
};

/**
 * The place where reading continues. A chain with another block where one was read was rewritten below a final block; a
 * local node does so when it is killed and restarts from an earlier state. Then it is read again from the last common
 * block. The newest read block that the node can have is compared.
 * @returns undefined where reading does not continue in this round
 */
export const readSoFar = async (
  watch: DepositWatch,
  place: ReadPlace,
  finalHeight: bigint,
): Promise<ReadPlace | undefined> => {
  const { height, marks } = place;
  const mark = marks.find((each) => each.height <= finalHeight);
  // nodes count calls, so while nothing is to be read, this process does not repeat a comparison
  if (height === finalHeight && mark?.hash === watch.memory.held) return place;
  if (mark === undefined) return height > finalHeight ? judgeShorter(watch, place, finalHeight) : place;
  switch (await holds(watch.chain.node, mark)) {
    case "it":
      watch.memory.held = mark.hash;
      return place;
    case "nothing":
      return place;
    case "another":
      return goBackToHeld(watch, place, finalHeight);
    case "unclear":
      return undefined;
  }
};
