import type { Arrival } from "@conclave/chains";
import type { WalletId } from "@conclave/custody";

/**
 * Limit on events for movements of one contract to one wallet in one block. A contract can claim any number of
 * movements at almost no cost.
 */
const ANNOUNCED_OF_A_CONTRACT = 50;

/** One movement to a wallet. */
interface Movement {
  readonly moved: Arrival["moved"];
  readonly walletId: WalletId;
}

/**
 * Decides which movements of a block get an event: all movements of coins and of tokens without a contract, and the
 * first ones that each contract claims to each wallet.
 * @param movements in the order of the block, so that the result is the same whenever the block is read
 * @returns for each of them whether it gets an event
 */
export const areAnnounced = (movements: readonly Movement[]): readonly boolean[] => {
  const counted = new Map<string, number>();
  return movements.map(({ moved, walletId }) => {
    if (!("contract" in moved)) return true;
    const name = `${walletId} ${moved.contract}`;
    const nth = counted.get(name) ?? 0;
    counted.set(name, nth + 1);
    return nth < ANNOUNCED_OF_A_CONTRACT;
  });
};
