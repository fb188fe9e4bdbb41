import { moveReadingOn } from "@conclave/platform";
import type { DepositWatch } from "./deposit-watch.ts";
import { firstKnownBlock } from "./first-known-block.ts";

/** Goes on behind blocks that the node has forgotten: nobody can tell any more what they brought. */
export const passOver = async (
  { chain, database, logger, memory, network, passedOver }: DepositWatch,
  absent: bigint,
  finalHeight: bigint,
): Promise<void> => {
  const { arrivals } = chain.node;
  if (arrivals === undefined) return;
  const known = await firstKnownBlock(arrivals, absent, finalHeight, memory.firstKnown);
  if (!known.ok) return;
  if (known.value === undefined) {
    logger.warn(
      { network, height: absent, finalHeight },
      "the node tells of no block what it brought, not even of the final one: nothing is passed over",
    );
    return;
  }
  const [from, to] = [absent, known.value - 1n];
  logger.error(
    { network, from, to },
    "the node has forgotten blocks that were not read: what they brought to wallets is not detected",
  );
  if (await moveReadingOn(database, network, absent - 1n, { height: to, hash: null })) {
    passedOver(Number(to - absent) + 1);
  }
};

/**
 * Goes on behind a block of which the node tells more than goes through, however it is asked. The node must tell of its final block: what
 * refuses every block is no block's size, but a limit that somebody has to raise.
 */
export const passOverTooLarge = async (
  { chain, database, logger, network, passedOver }: DepositWatch,
  height: bigint,
  finalHeight: bigint,
): Promise<void> => {
  const final = await chain.node.arrivals?.(finalHeight, async () => new Set());
  if (final?.ok !== true || final.value === undefined) return;
  logger.error(
    { network, height },
    "a block is too large for the node to tell, and was not read: what it brought to wallets is not detected",
  );
  if (await moveReadingOn(database, network, height - 1n, { height, hash: null })) passedOver(1);
};
