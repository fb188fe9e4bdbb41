import { bitcoinScript } from "@conclave/chains/testing";
import { networkSchema } from "@conclave/custody";
import { z } from "zod";
import type { FrontRequest } from "../front.ts";
import { askJsonRpc } from "../nodes/json-rpc.ts";
import { callIn, jsonCallRules } from "./json-calls.ts";

const NETWORKS = ["Bitcoin", "BitcoinSignet"].map((name) => networkSchema.parse(name));
/** login of the test's node, the same as of the suite's ledger */
export const BITCOIND_LOGIN = { user: "conclave", password: "a long one" } as const;
/** Headers that a client must send with each call. */
export const BITCOIND_HEADERS = {
  authorization: `Basic ${Buffer.from(`${BITCOIND_LOGIN.user}:${BITCOIND_LOGIN.password}`).toString("base64")}`,
};

/** The output script of an address of the main network or of a test network, in hex. */
export const scriptOf = (address: string): string => {
  const script = NETWORKS.map((network) => bitcoinScript(network, address)).find((one) => one !== undefined);
  if (script === undefined) throw new Error(`${address} is no address`);
  return Buffer.from(script).toString("hex");
};

const ADDRESS = /^addr\(([a-zA-Z0-9]+)\)$/;
const scannedSchema = z.tuple([z.literal("start"), z.array(z.string())]);

/**
 * Replaces addresses by their scripts in the one call that contains an address: regtest's addresses have their own prefix, and
 * no network of Conclave uses it.
 */
const withScripts = (request: FrontRequest): FrontRequest => {
  const headers = { ...request.headers, ...BITCOIND_HEADERS };
  const call = callIn(request);
  const scanned = scannedSchema.safeParse(call?.params);
  if (call?.method !== "scantxoutset" || !scanned.success) return { ...request, headers };
  const [start, descriptors] = scanned.data;
  const scripts = descriptors.map((one) => one.replace(ADDRESS, (_, address) => `raw(${scriptOf(address)})`));
  return { ...request, headers, body: Buffer.from(JSON.stringify({ ...call, params: [start, scripts] })) };
};

const decodedSchema = z.object({ txid: z.string() });

/** bitcoind: `sendrawtransaction`, answered with the transaction's id. */
export const BITCOIN_RULES = jsonCallRules({
  method: "sendrawtransaction",
  idOf: async (signed, nodeUrl) =>
    decodedSchema.parse(await askJsonRpc(nodeUrl, "decoderawtransaction", [signed], BITCOIND_HEADERS)).txid,
  // RPC_VERIFY_REJECTED, with the HTTP status of all errors of bitcoind
  refusal: { code: -26, status: 500 },
  envelope: { result: null, error: null },
  asked: withScripts,
});
