import { exactContent } from "../exact-bytes/exact-content.ts";
import { exactToSignSchema } from "../rules/exact-act.ts";
import { tronTransactionSchema, tronTransferSchema } from "./rules/act.ts";
import { decodeTron } from "./transaction.ts";

/** Parsers of authorised content on TRON. */
export const TRON_CONTENT = exactContent({
  transfer: tronTransferSchema,
  transaction: tronTransactionSchema,
  toSign: exactToSignSchema,
  decode: decodeTron,
});
