import { type HorizonBooks, stellarEntryIn } from "../books.ts";
import { encodeXdr } from "../xdr/codec.ts";
import { type HorizonContractEvent, xdrContractEvent } from "../xdr/event.ts";
import type { HorizonFootprint, HorizonSorobanData } from "../xdr/invocation.ts";
import { xdrLedgerEntry } from "../xdr/ledger-entry.ts";
import type { HorizonKey } from "../xdr/ledger-key.ts";
import { isFootprintValid } from "./footprint.ts";

/** The resources that a call used. */
export interface ContractUse {
  readonly instructions: number;
  readonly readBytes: number;
  readonly writeBytes: number;
  /** stroops for the storage of new data */
  readonly rent: bigint;
  /** stroops for the events */
  readonly eventFee: bigint;
}

/** Approximately the instructions of a transfer in the real contract. */
const INSTRUCTIONS_OF_A_TRANSFER = 250_000;

/** Limits of one transaction. @source stellar-core, network settings of protocol 23 */
const LIMITS = { instructions: 100_000_000, readBytes: 200_000, writeBytes: 132_096, keys: 100, written: 50 };

/** Fee rates in stroops. @source the main network's settings, rounded */
const RATES = {
  /** per ten thousand instructions */
  instructions: 25n,
  readEntry: 6_250n,
  read1Kb: 1_786n,
  writeEntry: 10_000n,
  write1Kb: 3_500n,
  /** per kilobyte of the envelope: bandwidth and permanent history */
  envelope1Kb: 17_859n,
  events1Kb: 10_000n,
  /** per byte of new storage, for some months */
  rentByte: 40n,
};
const INSTRUCTIONS_UNIT = 10_000n;
const KB = 1_024n;

const dividedUp = (a: bigint, b: bigint): bigint => (a + b - 1n) / b;

const sizeOfEntry = (books: HorizonBooks, key: HorizonKey): number => {
  const entry = stellarEntryIn(books, key);
  return entry === undefined ? 0 : encodeXdr(xdrLedgerEntry, { ...entry, extension: undefined }).length;
};

const isOnDisk = ({ type }: HorizonKey): boolean => type === "account" || type === "trustLine";

/**
 * The resources of a call. Since protocol 23 contract data is in memory, so only account entries and trustlines count as
 * disk reads.
 */
export const useOf = (
  { readOnly, readWrite }: HorizonFootprint,
  before: HorizonBooks,
  after: HorizonBooks,
  event: HorizonContractEvent,
): ContractUse => {
  const read = [...readOnly, ...readWrite].filter(isOnDisk);
  const sum = (sizes: readonly number[]): number => sizes.reduce((all, size) => all + size, 0);
  const fresh = readWrite.filter((key) => stellarEntryIn(before, key) === undefined);
  const rent = BigInt(sum(fresh.map((key) => sizeOfEntry(after, key)))) * RATES.rentByte;
  const bytes = BigInt(encodeXdr(xdrContractEvent, event).length);
  return {
    instructions: INSTRUCTIONS_OF_A_TRANSFER,
    readBytes: sum(read.map((key) => sizeOfEntry(before, key))),
    writeBytes: sum(readWrite.map((key) => sizeOfEntry(after, key))),
    rent,
    eventFee: dividedUp(bytes * RATES.events1Kb, KB),
  };
};

export const isWithinResources = (use: ContractUse, declared: HorizonSorobanData): boolean =>
  use.instructions <= declared.instructions &&
  use.readBytes <= declared.readBytes &&
  use.writeBytes <= declared.writeBytes;

/** The fee for declared resources, used or not. @param size of the envelope, in bytes */
export const nonRefundableFee = (declared: Omit<HorizonSorobanData, "resourceFee">, size: number): bigint => {
  const { footprint, instructions, readBytes, writeBytes } = declared;
  const read = [...footprint.readOnly, ...footprint.readWrite].filter(isOnDisk).length;
  return (
    dividedUp(BigInt(instructions) * RATES.instructions, INSTRUCTIONS_UNIT) +
    BigInt(read) * RATES.readEntry +
    BigInt(footprint.readWrite.length) * RATES.writeEntry +
    dividedUp(BigInt(readBytes) * RATES.read1Kb, KB) +
    dividedUp(BigInt(writeBytes) * RATES.write1Kb, KB) +
    dividedUp(BigInt(size) * RATES.envelope1Kb, KB)
  );
};

/**
 * Whether declared resources are within the limits, and their fee is sufficient.
 * @param size of the envelope, in bytes
 * @source stellar-core, TransactionFrame.cpp: checkSorobanResources
 */
export const areResourcesValid = (declared: HorizonSorobanData, size: number): boolean => {
  const { footprint, instructions, readBytes, writeBytes, resourceFee } = declared;
  const keys = footprint.readOnly.length + footprint.readWrite.length;
  return (
    instructions <= LIMITS.instructions &&
    readBytes <= LIMITS.readBytes &&
    writeBytes <= LIMITS.writeBytes &&
    keys <= LIMITS.keys &&
    footprint.readWrite.length <= LIMITS.written &&
    isFootprintValid(footprint) &&
    resourceFee >= nonRefundableFee(declared, size)
  );
};
