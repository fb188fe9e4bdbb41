import { exactContent } from "../exact-bytes/exact-content.ts";
import { exactToSignSchema } from "../rules/exact-act.ts";
import { tronTransactionSchema, tronTransferSchema } from "./rules/act.ts";
import { decodeTron } from "./transaction.ts";

/** How a request on TRON is parsed. */
export const TRON_CONTENT = exactContent({
  transfer: tronTransferSchema,
  transaction: tronTransactionSchema,
  toSign: exactToSignSchema,
  decode: decodeTron,
});
