import type { Arrival } from "@conclave/chains";
import type { WalletId } from "@conclave/custody";

/** Movements of one contract to one wallet in one block that events tell of. A contract may claim any number of them, for next to nothing. */
const ANNOUNCED_OF_A_CONTRACT = 50;

/** Something that moved to a wallet. */
interface Movement {
  readonly moved: Arrival["moved"];
  readonly walletId: WalletId;
}

/**
 * Decides which movements of a block get an event: all movements of coins and of tokens without a contract, and the first ones that each contract
 * claims to each wallet.
 * @param movements in the order of the block: then the same ones get an event whenever the block is read
 * @returns for each of them whether an event tells of it
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
