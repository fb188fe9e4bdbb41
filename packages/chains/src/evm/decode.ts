import { fail, ok, type Result } from "@conclave/custody";
import type { Hex } from "viem";
import { bytesToHex, parseTransaction, serializeTransaction, toHex } from "viem/utils";

/** An unsigned type-2 transaction, every field present. */
export interface UnsignedTransaction {
  readonly chainId: number;
  readonly nonce: bigint;
  readonly maxFeePerGas: bigint;
  readonly maxPriorityFeePerGas: bigint;
  readonly gasLimit: bigint;
  /** lower case; undefined deploys a contract */
  readonly to: Hex | undefined;
  readonly value: bigint;
  readonly data: Hex;
  readonly accessListLength: number;
}

const TYPE_2 = 0x02;
/** EIP-2718: below is a transaction type, from here on an RLP list, which is a legacy transaction. */
const FIRST_LEGACY_BYTE = 0xc0;
const FIRST_RESERVED_BYTE = 0x80;
/** A transfer takes some 120 bytes; nothing larger is worth decoding. */
export const MAX_UNSIGNED_BYTES = 4096;

const unreadable = (why: string): Result<never> =>
  fail("TransactionUnreadable", { why }, `The transaction cannot be decoded: ${why}.`);

const parse = (serialized: `0x02${string}`) => {
  try {
    return parseTransaction(serialized);
  } catch {
    return undefined;
  }
};

const typeOf = (unsigned: Uint8Array): Result<typeof TYPE_2> => {
  const first = unsigned[0];
  if (first === undefined) return unreadable("it is empty");
  if (unsigned.length > MAX_UNSIGNED_BYTES)
    return unreadable(`it is longer than ${MAX_UNSIGNED_BYTES} bytes`);
  if (first === TYPE_2) return ok(TYPE_2);
  if (first >= FIRST_RESERVED_BYTE && first < FIRST_LEGACY_BYTE) return unreadable("it has no known type");
  const type = first >= FIRST_LEGACY_BYTE ? "legacy" : toHex(first);
  return fail("TransactionMismatch", { field: "type", is: type, authorised: "0x2" });
};

/**
 * Decodes an unsigned EIP-1559 transaction and accepts its canonical bytes only: what was decoded, encoded again,
 * must be the very input, so that no two byte strings mean one thing and nothing hides between the fields.
 * @param unsigned 0x02 and the RLP list of nine fields
 * @returns TransactionUnreadable, or TransactionMismatch for another type or a signature inside
 */
export const decodeUnsigned = (unsigned: Uint8Array): Result<UnsignedTransaction> => {
  const type = typeOf(unsigned);
  if (!type.ok) return type;
  const serialized = bytesToHex(unsigned);
  const parsed = parse(`0x02${serialized.slice(4)}`);
  if (parsed === undefined || parsed.nonce === undefined) {
    return unreadable("it is not an EIP-1559 transaction");
  }
  if ("r" in parsed || "s" in parsed || "v" in parsed || "yParity" in parsed) {
    return fail("TransactionMismatch", { field: "signature" }, "The transaction is signed already.");
  }
  if (encode(parsed) !== serialized) return unreadable("its encoding is not canonical");
  return ok({
    chainId: parsed.chainId,
    nonce: BigInt(parsed.nonce),
    maxFeePerGas: parsed.maxFeePerGas ?? 0n,
    maxPriorityFeePerGas: parsed.maxPriorityFeePerGas ?? 0n,
    gasLimit: parsed.gas ?? 0n,
    to: parsed.to ?? undefined,
    value: parsed.value ?? 0n,
    data: parsed.data ?? "0x",
    accessListLength: parsed.accessList?.length ?? 0,
  });
};

const encode = (parsed: NonNullable<ReturnType<typeof parse>>): Hex | undefined => {
  try {
    return serializeTransaction({ ...parsed, type: "eip1559" });
  } catch {
    return undefined;
  }
};
