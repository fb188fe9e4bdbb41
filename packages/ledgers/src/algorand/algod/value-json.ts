import type { LedgerJson } from "../../json.ts";
import { addressOfKey, toBase32 } from "../address.ts";
import { isMsgpackMap, type MsgpackValue } from "../msgpack.ts";

/** The keys whose 32-byte values are accounts: in transactions, asset parameters and block headers. */
const ADDRESS_KEYS = new Set("snd rcv close asnd arcv aclose fadd rekey sgnr m r f c fees rwd".split(" "));

const bytesJson = (key: string, bytes: Uint8Array): string => {
  if (ADDRESS_KEYS.has(key)) return addressOfKey(bytes);
  return key === "prev" ? `blk-${toBase32(bytes)}` : Buffer.from(bytes).toString("base64");
};

/**
 * Converts a MessagePack value to JSON as a node does: accounts as addresses, block hashes with their prefix, other bytes
 * in base64.
 * @param key the key under which the value stands
 */
export const valueJson = (key: string, value: MsgpackValue): LedgerJson => {
  if (value instanceof Uint8Array) return bytesJson(key, value);
  if (typeof value !== "object") return value;
  if (!isMsgpackMap(value)) return value.map((each) => valueJson(key, each));
  return Object.fromEntries([...value].map(([name, each]) => [name, valueJson(name, each)]));
};
