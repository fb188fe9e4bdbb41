import { fail, ok, type Result } from "@conclave/custody";
import { bytesToHex, concatBytes, equalBytes } from "@noble/curves/utils.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { encodeTronContract, readTronContract, type TronContract } from "./contract.ts";
import { readProtobuf } from "./protobuf/read.ts";
import { bytesField, numberField } from "./protobuf/write.ts";

/** The fields of the message Transaction.raw (java-tron, protocol/core/Tron.proto). */
export interface TronDraft {
  /** of the number of a block of this chain, the last two bytes */
  readonly refBlockBytes: Uint8Array;
  /** of that block's id, the bytes 8 to 16 */
  readonly refBlockHash: Uint8Array;
  /** Unix milliseconds: a block takes it if the one before has an earlier time */
  readonly expirationMs: bigint;
  /** Unix milliseconds; nodes do not look at it */
  readonly timestampMs: bigint;
  /** sun: the most that may be spent on the energy of a call */
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
/** Longer than any transaction that is read here. */
const TRANSACTION_BYTES_MAX = 512;

/** The bytes of raw_data: fields by their numbers, none that is empty. @throws TypeError for addresses that were not judged */
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

/** Numbers that JSON of nodes and of SDKs holds exactly: times and limits are far below. */
const numberOf = (value: bigint | Uint8Array | undefined): bigint | undefined => {
  if (value === undefined) return 0n;
  return typeof value === "bigint" && value <= BigInt(Number.MAX_SAFE_INTEGER) ? value : undefined;
};

/** A draft, or in words why there is none. */
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
 * Reads the bytes of raw_data, strictly: what is read must encode to the very same bytes, so that there is one encoding of each
 * transaction and no byte that nobody read.
 * @returns TransactionUnreadable
 */
export const decodeTron = (unsigned: Uint8Array): Result<TronDraft> => {
  const draft = decoded(unsigned);
  if (typeof draft === "string") return unreadable(draft);
  return equalBytes(encodeTron(draft), unsigned) ? ok(draft) : unreadable("it is not canonical protobuf");
};

/** The signed bytes. It is the transaction's name as well, so it depends on no signature. @returns 32 bytes */
export const tronDigest = (unsigned: Uint8Array): Uint8Array => sha256(unsigned);

/** How the chain names a transaction: lower-case hex. */
export const tronId = (unsigned: Uint8Array): string => bytesToHex(tronDigest(unsigned));
