import { lastReadBlock, moveReadingOn } from "@conclave/platform";
import { historyAbsent } from "../log/deposit-events.ts";
import type { DepositWatch } from "./deposit-watch.ts";

/**
 * Judges a block that the node does not tell, far behind the final one. Once the node has said for minutes that it has forgotten it, and so the newest
 * block that it has forgotten, reading goes on behind all those that it does not tell up to that one: nobody can tell any more what they brought.
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
 * Goes on behind a block of which the node tells more than goes through, however it is asked. The node must tell of its final block: what
 * refuses every block is no block's size, but a limit that somebody has to raise.
 * @param height the next block that is to be read
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
