import algosdk from "algosdk";
import type { FrontRules } from "../front.ts";

const bytesOf = (hex: string): Uint8Array => Uint8Array.from(Buffer.from(hex, "hex"));

/** API token of the test's node */
export const ALGOD_TOKEN = "c0".repeat(32);

/** algod: `POST /v2/transactions`, answered with the transaction's id. */
export const ALGORAND_RULES: FrontRules = {
  broadcastIn: ({ method, path, body }) =>
    method === "POST" && path === "/v2/transactions" ? Buffer.from(body).toString("hex") : undefined,
  taken: async (_request, signed) => {
    const txId = algosdk.decodeSignedTransaction(bytesOf(signed)).txn.txID();
    return { status: 200, body: JSON.stringify({ txId }) };
  },
  refused: (_request, message) => ({ status: 400, body: JSON.stringify({ message }) }),
  // drivers send no token
  asked: (request) => ({ ...request, headers: { ...request.headers, "x-algo-api-token": ALGOD_TOKEN } }),
};
