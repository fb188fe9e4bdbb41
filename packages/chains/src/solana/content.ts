import { exactContent } from "../exact-bytes/exact-content.ts";
import { exactToSignSchema } from "../rules/exact-act.ts";
import { solanaTransactionSchema, solanaTransferSchema } from "./rules/act.ts";
import { decodeSolana } from "./transaction.ts";

/** Parsers of authorised content on Solana. */
export const SOLANA_CONTENT = exactContent({
  transfer: solanaTransferSchema,
  transaction: solanaTransactionSchema,
  toSign: exactToSignSchema,
  decode: decodeSolana,
});
