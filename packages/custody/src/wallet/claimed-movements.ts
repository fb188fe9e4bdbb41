import type { TransferBody } from "../chain-request/transfer-body.ts";

/**
 * Limit on events for movements of one contract at one wallet or watch in one block. A contract can claim any number of
 * movements at almost no cost.
 */
const ANNOUNCED_OF_A_CONTRACT = 50;

/** One movement at a wallet or a watch. */
interface Movement {
  readonly moved: TransferBody;
  /** names the wallet; for a watch also the direction */
  readonly at: string;
}

/**
 * Decides which movements of a block get an event: all movements of coins and of tokens without a contract, and the
 * first ones that each contract claims at each wallet or watch.
 * @param movements in the order of the block, so that the result is the same whenever the block is read
 * @returns for each of them whether it gets an event
 */
export const areAnnounced = (movements: readonly Movement[]): readonly boolean[] => {
  const counted = new Map<string, number>();
  return movements.map(({ moved, at }) => {
    if (!("contract" in moved)) return true;
    const name = `${at} ${moved.contract}`;
    const nth = counted.get(name) ?? 0;
    counted.set(name, nth + 1);
    return nth < ANNOUNCED_OF_A_CONTRACT;
  });
};
