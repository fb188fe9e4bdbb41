import { decodePsbt, transactionOf } from "./wire/psbt.ts";
import { txidOf } from "./wire/transaction.ts";

/** The txid of a PSBT's transaction; witness signatures do not change it. @returns undefined for bytes that are no PSBT */
export const idOfPsbt = (unsigned: Uint8Array): string | undefined => {
  const psbt = decodePsbt(unsigned);
  return psbt.ok ? txidOf(transactionOf(psbt.value)) : undefined;
};
