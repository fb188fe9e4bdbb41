import { fail, ok, type Result, UNSIGNED_BYTES_MAX } from "@conclave/custody";
import type { Hex } from "viem";
import { bytesToHex, fromRlp, size, toHex, toRlp } from "viem/utils";

/** An unsigned transaction without effects beyond its call: legacy (EIP-155), EIP-2930 or EIP-1559. */
export interface AnyUnsigned {
  readonly type: 0 | 1 | 2;
  readonly chainId: bigint;
  readonly nonce: bigint;
  /** wei a gas; the gas price in types 0 and 1 */
  readonly maxFeePerGas: bigint;
  readonly maxPriorityFeePerGas: bigint;
  readonly gasLimit: bigint;
  /** lower case; undefined: deploys a contract */
  readonly to: Hex | undefined;
  readonly value: bigint;
  readonly data: Hex;
  readonly accessListLength: number;
}

type Item = Hex | readonly Item[];

/** EIP-2718: a lower first byte is a transaction type; from here on it begins an RLP list, which is a legacy transaction. */
const FIRST_LEGACY_BYTE = 0xc0;
const FIRST_RESERVED_BYTE = 0x80;
const WORD_BYTES = 32;
const ADDRESS_BYTES = 20;
/** EIP-2681 allows slightly more; this is the largest exact JavaScript integer. */
const NONCE_MAX = BigInt(Number.MAX_SAFE_INTEGER);
/** Number of unsigned fields per type. A signature adds three; in a legacy transaction it replaces the last three. */
const FIELDS = [9, 8, 9] as const;

const unreadable = (why: string): Result<never> =>
  fail("TransactionUnreadable", { why }, `The transaction cannot be decoded: ${why}.`);
const mismatch = (field: string, is: string, why: string): Result<never> =>
  fail("TransactionMismatch", { field, is }, why);

const typeOf = (unsigned: Uint8Array): Result<AnyUnsigned["type"]> => {
  const first = unsigned[0];
  if (first === undefined) return unreadable("it is empty");
  if (unsigned.length > UNSIGNED_BYTES_MAX) {
    return unreadable(`it is longer than ${UNSIGNED_BYTES_MAX} bytes`);
  }
  if (first >= FIRST_LEGACY_BYTE) return ok(0);
  if (first === 1 || first === 2) return ok(first);
  return first >= FIRST_RESERVED_BYTE
    ? unreadable("it has no known type")
    : mismatch("type", toHex(first), `Transactions of type ${toHex(first)} are not signed here.`);
};

/** The list of items; undefined unless the bytes are its canonical encoding. */
const itemsOf = (bytes: Uint8Array): readonly Item[] | undefined => {
  try {
    const items = fromRlp(bytes, "hex");
    if (typeof items === "string" || toRlp(items) !== bytesToHex(bytes)) return undefined;
    return items;
  } catch {
    return undefined;
  }
};

const isWord = (item: Item | undefined): item is Hex =>
  typeof item === "string" && size(item) <= WORD_BYTES && !item.startsWith("0x00");

const isAccessList = (item: Item | undefined): item is readonly Item[] =>
  typeof item === "object" && item.every(isAccess);
const isAccess = (entry: Item): boolean => {
  if (typeof entry === "string") return false;
  const [address, keys, ...more] = entry;
  if (typeof address !== "string" || size(address) !== ADDRESS_BYTES) return false;
  const isKeys =
    typeof keys === "object" && keys.every((key) => typeof key === "string" && size(key) === WORD_BYTES);
  return isKeys && more.length === 0;
};

const number = (word: Hex): bigint => (word === "0x" ? 0n : BigInt(word));

/** The items by name; their order differs by type. */
const named = (type: AnyUnsigned["type"], items: readonly Item[]) => {
  switch (type) {
    case 0: {
      const [nonce, price, gas, to, value, data, chainId, r, s] = items;
      return { chainId, nonce, tip: price, price, gas, to, value, data, list: [], signature: [r, s] };
    }
    case 1: {
      const [chainId, nonce, price, gas, to, value, data, list] = items;
      return { chainId, nonce, tip: price, price, gas, to, value, data, list, signature: [] };
    }
    case 2: {
      const [chainId, nonce, tip, price, gas, to, value, data, list] = items;
      return { chainId, nonce, tip, price, gas, to, value, data, list, signature: [] };
    }
  }
};

/**
 * Decodes an unsigned transaction of type 0, 1 or 2 from its canonical bytes only, so that each transaction has one encoding.
 * Blob transactions (type 3) need a sidecar, and authorisation lists (type 4) delegate the account: both are refused. A legacy
 * transaction must name its chain (EIP-155).
 *
 * @param unsigned at most UNSIGNED_BYTES_MAX bytes are decoded
 * @returns TransactionUnreadable, or TransactionMismatch (details.field "type", "signature" or "chainId")
 */
export const decodeAnyUnsigned = (unsigned: Uint8Array): Result<AnyUnsigned> => {
  const type = typeOf(unsigned);
  if (!type.ok) return type;
  const items = itemsOf(type.value === 0 ? unsigned : unsigned.slice(1));
  if (items === undefined) return unreadable("its encoding is not canonical");
  const expected = FIELDS[type.value];
  if (type.value === 0 && items.length === expected - 3) {
    return mismatch("chainId", "none", "A legacy transaction without a chain id could be sent on any chain.");
  }
  if (type.value !== 0 && items.length === expected + 3) return signedAlready();
  if (items.length !== expected) return unreadable(`it has ${items.length} fields`);
  return readFields(type.value, items);
};

const signedAlready = (): Result<never> =>
  mismatch("signature", "present", "The transaction is signed already.");

const readFields = (type: AnyUnsigned["type"], items: readonly Item[]): Result<AnyUnsigned> => {
  const { chainId, nonce, tip, price, gas, to, value, data, list, signature } = named(type, items);
  if (signature.some((half) => half !== "0x")) return signedAlready();
  const isNumbers =
    isWord(chainId) && isWord(nonce) && isWord(tip) && isWord(price) && isWord(gas) && isWord(value);
  if (!isNumbers) return unreadable("a number is not canonical");
  if (typeof to !== "string" || (to !== "0x" && size(to) !== ADDRESS_BYTES)) {
    return unreadable("its recipient is not an address");
  }
  if (typeof data !== "string") return unreadable("its data are a list");
  if (!isAccessList(list)) return unreadable("its access list is none");
  if (number(nonce) > NONCE_MAX) return unreadable("its nonce is out of range");
  if (number(tip) > number(price)) return unreadable("its tip is above its fee cap");
  if (to === "0x" && data === "0x") return unreadable("it has neither a recipient nor code to deploy");
  if (number(chainId) === 0n) return mismatch("chainId", "0", "The transaction names no chain.");
  return ok({
    type,
    chainId: number(chainId),
    nonce: number(nonce),
    maxFeePerGas: number(price),
    maxPriorityFeePerGas: number(tip),
    gasLimit: number(gas),
    to: to === "0x" ? undefined : to,
    value: number(value),
    data,
    accessListLength: list.length,
  });
};
