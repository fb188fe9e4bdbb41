import { bytesToHex, concatBytes, hexToBytes } from "@noble/curves/utils.js";
import {
  ByteReader,
  compactSize,
  doubleSha256,
  lengthAndBytes,
  UnreadableBytes,
  uint32,
  uint64,
} from "./bytes.ts";

/** The output that an input spends, by transaction and index. */
export interface Outpoint {
  /** as people write it: lower-case hex, in reverse byte order */
  readonly txid: string;
  readonly index: number;
}

export interface BareInput {
  readonly outpoint: Outpoint;
  /** scriptSig; empty in segwit inputs */
  readonly script: Uint8Array;
  readonly sequence: number;
}

export interface BareOutput {
  /** satoshis */
  readonly amount: bigint;
  readonly script: Uint8Array;
}

/** A transaction without its witnesses: its id depends on nothing else (BIP-141). */
export interface BareTransaction {
  readonly version: number;
  readonly inputs: readonly BareInput[];
  readonly outputs: readonly BareOutput[];
  readonly lockTime: number;
}

const TXID_BYTES = 32;
const VERSION_BYTES = 4;
/** outpoint, empty script, sequence */
const INPUT_BYTES_MIN = TXID_BYTES + 4 + 1 + 4;
/** amount, empty script */
const OUTPUT_BYTES_MIN = 8 + 1;
/** BIP-144 marker: stands where the count of inputs would, if witnesses follow. */
const MARKER = 0;
const FLAG = 1;

/** A txid in the byte order of the wire. */
const wireId = (txid: string): Uint8Array => hexToBytes(txid).reverse();
const readId = (bytes: Uint8Array): string => bytesToHex(bytes.toReversed());

export const encodeOutpoint = ({ txid, index }: Outpoint): Uint8Array =>
  concatBytes(wireId(txid), uint32(index));

export const encodeOutput = ({ amount, script }: BareOutput): Uint8Array =>
  concatBytes(uint64(amount), lengthAndBytes(script));

const encodeInput = ({ outpoint, script, sequence }: BareInput): Uint8Array =>
  concatBytes(encodeOutpoint(outpoint), lengthAndBytes(script), uint32(sequence));

const encodeBody = ({ inputs, outputs }: BareTransaction): Uint8Array =>
  concatBytes(
    compactSize(inputs.length),
    ...inputs.map(encodeInput),
    compactSize(outputs.length),
    ...outputs.map(encodeOutput),
  );

/** The bytes of a transaction without witnesses. */
export const encodeTransaction = (transaction: BareTransaction): Uint8Array =>
  concatBytes(uint32(transaction.version), encodeBody(transaction), uint32(transaction.lockTime));

/** The bytes of a transaction with the witnesses of its inputs (BIP-144). */
export const encodeWitnessed = (
  transaction: BareTransaction,
  witnesses: readonly (readonly Uint8Array[])[],
): Uint8Array =>
  concatBytes(
    uint32(transaction.version),
    Uint8Array.of(MARKER, FLAG),
    encodeBody(transaction),
    ...witnesses.flatMap((items) => [compactSize(items.length), ...items.map(lengthAndBytes)]),
    uint32(transaction.lockTime),
  );

/** The transaction's id on the chain; it does not depend on witnesses. */
export const txidOf = (transaction: BareTransaction): string => txidOfBytes(encodeTransaction(transaction));

/** @param bytes of a transaction without its witnesses */
export const txidOfBytes = (bytes: Uint8Array): string => readId(doubleSha256(bytes));

const readOutpoint = (reader: ByteReader): Outpoint => ({
  txid: readId(reader.take(TXID_BYTES)),
  index: reader.uint32(),
});

const readInput = (reader: ByteReader): BareInput => ({
  outpoint: readOutpoint(reader),
  script: reader.lengthAndBytes(),
  sequence: reader.uint32(),
});

/** Reads one output. @throws UnreadableBytes */
export const readOutput = (reader: ByteReader): BareOutput => ({
  amount: reader.uint64(),
  script: reader.lengthAndBytes(),
});

const times = <T>(count: number, read: () => T): readonly T[] => Array.from({ length: count }, () => read());

const readBody = (reader: ByteReader, inputCount: number) => ({
  inputs: times(inputCount, () => readInput(reader)),
  outputs: times(reader.count(OUTPUT_BYTES_MIN), () => readOutput(reader)),
});

/** Decodes a transaction without witnesses, to the last byte. @throws UnreadableBytes */
export const decodeUnwitnessed = (bytes: Uint8Array): BareTransaction => {
  const reader = new ByteReader(bytes);
  const version = reader.uint32();
  const body = readBody(reader, reader.count(INPUT_BYTES_MIN));
  const transaction = { version, ...body, lockTime: reader.uint32() };
  reader.end();
  return transaction;
};

/** Reads a transaction at a reader's position, with or without witnesses; witnesses are skipped. @throws UnreadableBytes */
export const readNetworkTransaction = (reader: ByteReader): BareTransaction => {
  const version = reader.uint32();
  const count = reader.count(1);
  if (count !== MARKER) {
    if (count * INPUT_BYTES_MIN > reader.left) throw new UnreadableBytes("it ends too early");
    return { version, ...readBody(reader, count), lockTime: reader.uint32() };
  }
  if (reader.byte() !== FLAG) throw new UnreadableBytes("it has no inputs");
  const body = readBody(reader, reader.count(INPUT_BYTES_MIN));
  for (const _ of body.inputs) times(reader.count(1), () => reader.lengthAndBytes());
  return { version, ...body, lockTime: reader.uint32() };
};

/** Like `readNetworkTransaction`, for bytes that hold exactly one transaction. @throws UnreadableBytes */
export const decodeTransaction = (bytes: Uint8Array): BareTransaction => {
  const reader = new ByteReader(bytes);
  const transaction = readNetworkTransaction(reader);
  reader.end();
  return transaction;
};

/**
 * The bytes of a transaction without its witnesses.
 * @param bytes with or without them
 * @param transaction decoded from these bytes: without witnesses, the bytes are its one encoding
 */
export const withoutWitnesses = (bytes: Uint8Array, transaction: BareTransaction): Uint8Array =>
  bytes[VERSION_BYTES] === MARKER ? encodeTransaction(transaction) : bytes;
