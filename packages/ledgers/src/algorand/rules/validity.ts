import { granted, type Ruling, refusedWith } from "../../ruling.ts";
import { toBase32 } from "../address.ts";
import type { AlgodGenesis } from "../genesis.ts";
import { isSameBytes } from "../same-bytes.ts";
import type { AlgodTransaction } from "../transaction/transaction.ts";

/**
 * Whether a transaction is valid in a round, on this ledger.
 * @param round of the block that is being made
 * @source go-algorand, data/bookkeeping/block.go: Alive
 */
export const checkAlive = (
  { firstValid, lastValid, genesisId, genesisHash }: AlgodTransaction,
  round: bigint,
  genesis: AlgodGenesis,
): Ruling<undefined> => {
  if (round < firstValid || round > lastValid) {
    return refusedWith(`txn dead: round ${round} outside of ${firstValid}--${lastValid}`);
  }
  if (genesisId !== "" && genesisId !== genesis.id) {
    return refusedWith(`tx.GenesisID <${genesisId}> does not match expected <${genesis.id}>`);
  }
  if (genesisHash === undefined) return refusedWith("required tx.GenesisHash is missing");
  return isSameBytes(genesisHash, genesis.hash)
    ? granted(undefined)
    : refusedWith(
        `tx.GenesisHash <${toBase32(genesisHash)}> does not match expected <${toBase32(genesis.hash)}>`,
      );
};
