import { moveReadingOn, type ReadBlock } from "@conclave/platform";
import { type DepositWatch, OUT_OF_REACH_BLOCKS } from "./deposit-watch.ts";
import { isSaidAgain } from "./is-said-again.ts";
import { shortlyBefore } from "./where-reading-begins.ts";

/**
 * Where reading goes on. A chain that holds another block where reading stands was rewritten below a final block, as a local node does
 * that was killed and comes back with a state from before: it is read again from far enough below. A node that is still reading its
 * own chain, as after -reindex of bitcoind, is waited for.
 * @returns the last block that counts as read; undefined where that is not known
 */
export const readSoFar = async (
  { chain, database, memory, monotonicMs, network, logger }: DepositWatch,
  { height, hash }: ReadBlock,
  finalHeight: bigint,
): Promise<bigint | undefined> => {
  const goBack = async (to: bigint, why: string): Promise<undefined> => {
    logger.error({ network, read: height, finalHeight, from: to }, why);
    memory.lookBack.forget();
    memory.forgotten.forget();
    await moveReadingOn(database, network, height, { height: to, hash: null });
  };
  const isFarAbove = (final: bigint): boolean => height > final + OUT_OF_REACH_BLOCKS;
  if (isFarAbove(finalHeight)) {
    // geth shows no block for minutes after a start, and says that it does not sync
    if (finalHeight <= 0n) return undefined;
    const catchingUp = await chain.node.isCatchingUp?.();
    if (catchingUp !== undefined && (!catchingUp.ok || catchingUp.value)) {
      logger.warn(
        { network, read: height, finalHeight },
        "the node reads its chain anew: reading waits for it",
      );
      return undefined;
    }
    if (!memory.verdict.stands(`shorter than ${height}`, monotonicMs())) return undefined;
    return goBack(
      shortlyBefore(finalHeight),
      "the chain is shorter than what was read of it: it is read anew",
    );
  }
  if (hash === null || height >= finalHeight) return height;
  const found = await chain.node.block(height, new Set());
  if (!found.ok) return undefined;
  if (found.value === undefined || found.value.hash === hash) return height;
  const isOther = await isSaidAgain(async () => {
    const again = await chain.node.block(height, new Set());
    return again.ok && again.value !== undefined && again.value.hash !== hash;
  });
  if (!isOther) return undefined;
  const below = height < OUT_OF_REACH_BLOCKS ? 0n : height - OUT_OF_REACH_BLOCKS;
  return goBack(below, "the chain holds another block where reading stands: what lies below is read again");
};
