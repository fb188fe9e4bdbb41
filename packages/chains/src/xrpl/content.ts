import { hexToBytes } from "@noble/curves/utils.js";
import { exactContent } from "../exact-bytes/exact-content.ts";
import { xrplContentSchema, xrplTransactionSchema, xrplTransferSchema } from "./rules/act.ts";
import { decodeXrpl, withXrplKey } from "./transaction.ts";

/** How a request on the XRP Ledger is parsed. The key of a caller's request is put into its bytes. */
export const XRPL_CONTENT = exactContent({
  transfer: xrplTransferSchema,
  transaction: xrplTransactionSchema,
  toSign: xrplContentSchema,
  decode: decodeXrpl,
  complete: (given, { signingPubKey }) =>
    signingPubKey === undefined ? given : withXrplKey(given, hexToBytes(signingPubKey)),
});
