import { jsonResponse } from "../../http/json-response.ts";

/** Errors in algod's words. @source go-algorand, daemon/algod/api/server/v2/errors.go */
const ALGOD_ERRORS = {
  address: { status: 400, message: "failed to parse the address" },
  format: { status: 400, message: "failed to parse the format option" },
  transactionId: { status: 400, message: "no valid transaction ID was specified" },
  round: { status: 400, message: "Invalid format for parameter round" },
  assetId: { status: 400, message: "Invalid format for parameter asset-id" },
  token: { status: 401, message: "Invalid API Token" },
  asset: { status: 404, message: "asset does not exist" },
  accountAsset: { status: 404, message: "account asset info not found" },
  block: { status: 404, message: "failed to retrieve information from the ledger" },
  transaction: {
    status: 404,
    message: "could not find the transaction in the transaction pool or in the last 1000 confirmed rounds",
  },
  unknownRoute: { status: 404, message: "Not Found" },
  tooLarge: { status: 413, message: "Request Entity Too Large" },
  busy: { status: 503, message: "too many requests wait for a block" },
} as const;

export const algodError = (name: keyof typeof ALGOD_ERRORS): Response =>
  jsonResponse({ message: ALGOD_ERRORS[name].message }, ALGOD_ERRORS[name].status);
