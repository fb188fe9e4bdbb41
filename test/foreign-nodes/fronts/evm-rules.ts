import { isHex, keccak256 } from "viem";
import { jsonCallRules } from "./json-calls.ts";

/** EVM nodes: `eth_sendRawTransaction`, answered with the hash of the bytes. */
export const EVM_RULES = jsonCallRules({
  method: "eth_sendRawTransaction",
  idOf: async (signed) => (isHex(signed) ? keccak256(signed) : signed),
  refusal: { code: -32_000, status: 200 },
  envelope: { jsonrpc: "2.0" },
});
