import { fail, ok, type Result } from "@conclave/custody";
import { bytesToHex, concatBytes, equalBytes } from "@noble/curves/utils.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { encodeTronContract, readTronContract, type TronContract } from "./contract.ts";
import { readProtobuf } from "./protobuf/read.ts";
import { bytesField, numberField } from "./protobuf/write.ts";

/** The fields of the message Transaction.raw (java-tron, protocol/core/Tron.proto). */
export interface TronDraft {
  /** the last two bytes of a block's height on this chain */
  readonly refBlockBytes: Uint8Array;
  /** bytes 8 to 16 of that block's id */
  readonly refBlockHash: Uint8Array;
  /** Unix milliseconds: a block includes it only if the previous block's time is earlier */
  readonly expirationMs: bigint;
  /** Unix milliseconds; nodes ignore it */
  readonly timestampMs: bigint;
  /** sun: the most that the energy of a call may cost */
  readonly feeLimit: bigint;
  readonly contract: TronContract;
}

const FIELD = {
  refBlockBytes: 1,
  refBlockHash: 4,
  expiration: 8,
  contract: 11,
  timestamp: 14,
  feeLimit: 18,
} as const;
const KNOWN: readonly number[] = Object.values(FIELD);
const NAMES: ReadonlyMap<number, string> = new Map([
  [3, "ref_block_num"],
  [9, "auths"],
  [10, "data, a note,"],
  [12, "scripts"],
]);
const REF_BYTES = 2;
const REF_HASH_BYTES = 8;
/** Upper bound: no transaction that is read here is longer. */
const TRANSACTION_BYTES_MAX = 512;

/** The bytes of raw_data: fields by number, without empty ones. @throws TypeError for addresses that were not validated */
export const encodeTron = (draft: TronDraft): Uint8Array =>
  concatBytes(
    bytesField(FIELD.refBlockBytes, draft.refBlockBytes),
    bytesField(FIELD.refBlockHash, draft.refBlockHash),
    numberField(FIELD.expiration, draft.expirationMs),
    bytesField(FIELD.contract, encodeTronContract(draft.contract)),
    numberField(FIELD.timestamp, draft.timestampMs),
    numberField(FIELD.feeLimit, draft.feeLimit),
  );

const unreadable = (why: string): Result<never> =>
  fail("TransactionUnreadable", {}, `The transaction cannot be read: ${why}.`);

const bytesOf = (value: bigint | Uint8Array | undefined, length: number): Uint8Array | undefined =>
  value instanceof Uint8Array && value.length === length ? value : undefined;

/** Only numbers that JSON of nodes and SDKs holds exactly: real times and limits are far smaller. */
const numberOf = (value: bigint | Uint8Array | undefined): bigint | undefined => {
  if (value === undefined) return 0n;
  return typeof value === "bigint" && value <= BigInt(Number.MAX_SAFE_INTEGER) ? value : undefined;
};

/** A draft, or the reason in words why the bytes are unreadable. */
const decoded = (unsigned: Uint8Array): TronDraft | string => {
  if (unsigned.length > TRANSACTION_BYTES_MAX) return "it is too long";
  const fields = readProtobuf(unsigned);
  if (fields === undefined) return "it is not the protobuf of raw_data with one contract";
  const stranger = [...fields.keys()].find((field) => !KNOWN.includes(field));
  if (stranger !== undefined) return `nobody reads its field ${NAMES.get(stranger) ?? stranger} here`;
  const refBlockBytes = bytesOf(fields.get(FIELD.refBlockBytes), REF_BYTES);
  const refBlockHash = bytesOf(fields.get(FIELD.refBlockHash), REF_HASH_BYTES);
  if (refBlockBytes === undefined || refBlockHash === undefined) return "it refers to no block";
  const expirationMs = numberOf(fields.get(FIELD.expiration));
  if (expirationMs === undefined || expirationMs === 0n) return "its expiration is missing or not valid";
  const timestampMs = numberOf(fields.get(FIELD.timestamp));
  const feeLimit = numberOf(fields.get(FIELD.feeLimit));
  if (timestampMs === undefined || feeLimit === undefined) return "its timestamp or fee_limit is not valid";
  const written = fields.get(FIELD.contract);
  const contract = written instanceof Uint8Array ? readTronContract(written) : "it has no contract";
  if (typeof contract === "string") return contract;
  return { refBlockBytes, refBlockHash, expirationMs, timestampMs, feeLimit, contract };
};

/**
 * Reads the bytes of raw_data strictly: encoding the result must give the same bytes, so that each transaction has one
 * encoding, and no byte stays unread.
 * @returns TransactionUnreadable
 */
export const decodeTron = (unsigned: Uint8Array): Result<TronDraft> => {
  const draft = decoded(unsigned);
  if (typeof draft === "string") return unreadable(draft);
  return equalBytes(encodeTron(draft), unsigned) ? ok(draft) : unreadable("it is not canonical protobuf");
};

/** The digest to sign. It is also the transaction's id, which therefore does not depend on signatures. @returns 32 bytes */
export const tronDigest = (unsigned: Uint8Array): Uint8Array => sha256(unsigned);

/** The transaction's id on the chain, lower-case hex. */
export const tronId = (unsigned: Uint8Array): string => bytesToHex(tronDigest(unsigned));
