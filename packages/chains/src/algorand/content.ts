import { exactContent } from "../exact-bytes/exact-content.ts";
import { exactToSignSchema } from "../rules/exact-act.ts";
import { algorandTransactionSchema, algorandTransferSchema } from "./rules/act.ts";
import { decodeAlgorand } from "./transaction.ts";

/** Parsers of authorised content on Algorand. */
export const ALGORAND_CONTENT = exactContent({
  transfer: algorandTransferSchema,
  transaction: algorandTransactionSchema,
  toSign: exactToSignSchema,
  decode: decodeAlgorand,
});
