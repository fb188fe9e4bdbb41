import { concatBytes } from "@noble/curves/utils.js";
import { type XdrReader, XdrUnreadable } from "../xdr/xdr-reader.ts";
import { longXdr, wordXdr } from "../xdr/xdr-write.ts";
import { type ContractLedgerKey, readLedgerKey, writeLedgerKey } from "./ledger-key.ts";

/** A transfer of an asset touches about four ledger entries. */
const KEYS_MAX = 8;

/** The resources that a contract call may use and pays for (SorobanTransactionData). */
export interface CallResources {
  /** ledger entries */
  readonly reads: readonly ContractLedgerKey[];
  readonly writes: readonly ContractLedgerKey[];
  readonly instructions: number;
  readonly readBytes: number;
  readonly writeBytes: number;
  /** stroops, a part of the transaction's fee */
  readonly fee: bigint;
}

const readKeys = (reader: XdrReader): readonly ContractLedgerKey[] => {
  const count = reader.count(KEYS_MAX, "footprint");
  return Array.from({ length: count }, () => readLedgerKey(reader));
};

/** Reads SorobanTransactionData without extensions, that is without restoring archived entries. */
export const readResources = (reader: XdrReader): CallResources => {
  if (reader.uint32() !== 0) throw new XdrUnreadable("it restores what was archived");
  const [reads, writes] = [readKeys(reader), readKeys(reader)];
  const [instructions, readBytes, writeBytes] = [reader.uint32(), reader.uint32(), reader.uint32()];
  const fee = reader.int64();
  if (fee < 0n) throw new XdrUnreadable("the fee of its contract call is negative");
  return { reads, writes, instructions, readBytes, writeBytes, fee };
};

export const writeResources = (resources: CallResources): Uint8Array => {
  const { reads, writes, instructions, readBytes, writeBytes, fee } = resources;
  return concatBytes(
    wordXdr(0),
    ...[reads, writes].flatMap((keys) => [wordXdr(keys.length), ...keys.map(writeLedgerKey)]),
    ...[instructions, readBytes, writeBytes].map(wordXdr),
    longXdr(fee),
  );
};
