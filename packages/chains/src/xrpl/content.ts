import { hexToBytes } from "@noble/curves/utils.js";
import { exactContent } from "../exact-bytes/exact-content.ts";
import { xrplContentSchema, xrplTransactionSchema, xrplTransferSchema } from "./rules/act.ts";
import { decodeXrpl, withXrplKey } from "./transaction.ts";

/** Parsers of authorised content on the XRP Ledger. The request's signing key is inserted into bytes that lack one. */
export const XRPL_CONTENT = exactContent({
  transfer: xrplTransferSchema,
  transaction: xrplTransactionSchema,
  toSign: xrplContentSchema,
  decode: decodeXrpl,
  complete: (given, { signingPubKey }) =>
    signingPubKey === undefined ? given : withXrplKey(given, hexToBytes(signingPubKey)),
});
