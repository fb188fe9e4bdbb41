import { exactContent } from "../exact-bytes/exact-content.ts";
import { exactToSignSchema } from "../rules/exact-act.ts";
import { stellarTransactionSchema, stellarTransferSchema } from "./rules/act.ts";
import { decodeStellar } from "./transaction.ts";

/** Parsers of authorised content on Stellar. */
export const STELLAR_CONTENT = exactContent({
  transfer: stellarTransferSchema,
  transaction: stellarTransactionSchema,
  toSign: exactToSignSchema,
  decode: decodeStellar,
});
