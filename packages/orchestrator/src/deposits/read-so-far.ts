import { moveReadingOn, oldestWalletOn, type ReadPlace } from "@conclave/platform";
import { chainReadAnew, chainReplaced, chainRewritten, chainShorter } from "../log/deposit-events.ts";
import type { DepositWatch } from "./deposit-watch.ts";
import { holds, holdsEachTime } from "./held-marks.ts";
import { STANDS_MS } from "./standing-verdict.ts";
import { shortlyBefore, whereReadingBegins } from "./where-reading-begins.ts";

/**
 * Goes back to a place, at most once in some minutes, and reads on from there at once: of two orchestrators whose nodes are on two branches
 * each reads its own, and neither sends the other back for ever.
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

/** Where reading begins on a chain that holds none of the blocks that were read; undefined while the node does not show it. */
const anew = async (
  { chain, database, network, now }: DepositWatch,
  finalHeight: bigint,
): Promise<ReadPlace | undefined> => {
  const oldest = await oldestWalletOn(database, network);
  const found = await whereReadingBegins(chain.node, finalHeight, oldest, now());
  return found.ok ? { height: found.value.height, marks: [] } : undefined;
};

/**
 * Judges a chain that is shorter than the part of it that was read: somebody has started it anew, as in development, or the node is still
 * reading its own chain, as after -reindex of bitcoind; then reading waits.
 */
const judgeShorter = async (
  watch: DepositWatch,
  place: ReadPlace,
  finalHeight: bigint,
): Promise<ReadPlace | undefined> => {
  const { chain, memory, monotonicMs, network, logger } = watch;
  const { verdict } = memory;
  // geth shows no block for minutes after a start, and says that it does not sync
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

/** Goes back to the last block that a rewritten chain still holds of those that were read. */
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
 * Where reading goes on. A chain that holds another block where one was read was rewritten below a final block, as a local node does
 * that was killed and comes back with a state from before: it is read again from the last block that it still holds. The newest block that
 * was read and that the node could have is compared.
 * @returns undefined where reading does not go on in this round
 */
export const readSoFar = async (
  watch: DepositWatch,
  place: ReadPlace,
  finalHeight: bigint,
): Promise<ReadPlace | undefined> => {
  const { height, marks } = place;
  const mark = marks.find((each) => each.height <= finalHeight);
  // nodes count calls: what this process has seen there is not asked for again while nothing is to be read
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
