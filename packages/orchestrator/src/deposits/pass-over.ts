import { lastReadBlock, moveReadingOn } from "@conclave/platform";
import { historyAbsent } from "../log/deposit-events.ts";
import type { DepositWatch } from "./deposit-watch.ts";

/**
 * Judges a block far behind the final one that the node does not show. Once the node has confirmed for minutes that it
 * has forgotten this block, and which is the newest forgotten block, reading continues after all missing blocks up to
 * that one: their deposits cannot be found any more.
 */
export const judgeAbsent = async (
  { chain, logger, memory, monotonicMs, network }: DepositWatch,
  absent: bigint,
  finalHeight: bigint,
): Promise<void> => {
  const { arrivals } = chain.node;
  if (arrivals === undefined) return;
  const { forgotten, verdict } = memory;
  const newest = await forgotten.newest(arrivals, absent, finalHeight);
  if (!newest.ok || newest.value === undefined) {
    verdict.falls();
    if (newest.ok) historyAbsent(logger, { network, height: absent, finalHeight });
    return;
  }
  if (verdict.stands(`forgotten ${absent} to ${newest.value}`, monotonicMs())) forgotten.stand();
};

/**
 * Skips a block for which the node's answers exceed the limits, however they are requested. The node must show its
 * final block: a refusal of every block is not about block size, but about a limit that an operator has to raise.
 * @param height the next block to read
 */
export const passOverTooLarge = async (
  { chain, counted, database, logger, network }: DepositWatch,
  height: bigint,
  finalHeight: bigint,
): Promise<void> => {
  const final = await chain.node.arrivals?.(finalHeight, async () => new Set());
  if (final?.ok !== true || final.value === undefined) return;
  const read = await lastReadBlock(database, network);
  if (read?.height !== height - 1n) return;
  const isPassedOver = await moveReadingOn(database, network, read, { ...read, height });
  if (isPassedOver) counted.blockTooLarge(logger, { network, height });
};
