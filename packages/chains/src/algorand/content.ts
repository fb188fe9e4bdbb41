import { algorandTransactionSchema, algorandTransferSchema, exactToSignSchema } from "@conclave/custody";
import { exactContent } from "../exact-bytes/exact-content.ts";
import { decodeAlgorand } from "./transaction.ts";

/** How a request on Algorand is parsed. */
export const ALGORAND_CONTENT = exactContent({
  transfer: algorandTransferSchema,
  transaction: algorandTransactionSchema,
  toSign: exactToSignSchema,
  decode: decodeAlgorand,
});
