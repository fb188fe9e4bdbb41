import { getCompiledTransactionMessageCodec } from "@solana/kit";
import { type AgaveAddress, parseAgaveAddress } from "../address.ts";
import { AgaveWireError, decodeCanonical } from "./canonical.ts";

export interface AgaveInstruction {
  /** place of the program's address among the keys */
  readonly program: number;
  /** places of accounts among the keys */
  readonly accounts: readonly number[];
  readonly data: Uint8Array;
}

/** The message that signatures sign. */
export interface AgaveMessage {
  readonly version: "legacy" | 0;
  readonly header: {
    readonly signers: number;
    readonly readonlySigners: number;
    readonly readonlyOthers: number;
  };
  /** the fee's payer first; signers before others, in each those that may be written first */
  readonly keys: readonly AgaveAddress[];
  readonly blockhash: string;
  readonly instructions: readonly AgaveInstruction[];
}

const CODEC = getCompiledTransactionMessageCodec();
/** A first byte with it is the message's version, without it the number of a legacy message's signers. */
const VERSION_BIT = 0x80;

const keyOf = (text: string): AgaveAddress => {
  const key = parseAgaveAddress(text);
  if (key === undefined) throw new RangeError(`the SDK read ${text} as an address`);
  return key;
};

/** @source Solana, solana-message: sanitize of legacy and version 0 messages */
const checkPlaces = ({ header, keys, instructions }: AgaveMessage): void => {
  const { signers, readonlySigners, readonlyOthers } = header;
  const isOutside = instructions.some(
    ({ program, accounts }) =>
      program === 0 || program >= keys.length || accounts.some((place) => place >= keys.length),
  );
  if (signers + readonlyOthers > keys.length || readonlySigners >= signers || isOutside) {
    throw new AgaveWireError(
      "invalid transaction: Transaction failed to sanitize accounts offsets correctly",
    );
  }
};

/**
 * Reads a message of the legacy form or of version 0, to its last byte.
 * @source Solana documentation, Transactions: message structure
 * @throws AgaveWireError
 */
export const readAgaveMessage = (bytes: Uint8Array): AgaveMessage => {
  const [first = 0] = bytes;
  if (first > VERSION_BIT) {
    throw new AgaveWireError(`this simulated ledger knows no messages of version ${first - VERSION_BIT}`);
  }
  const read = decodeCanonical(CODEC, bytes);
  if (read.version === 1) throw new RangeError("the first byte says the version");
  if ("addressTableLookups" in read) {
    throw new AgaveWireError("this simulated ledger takes no address lookup tables");
  }
  const message: AgaveMessage = {
    version: read.version,
    header: {
      signers: read.header.numSignerAccounts,
      readonlySigners: read.header.numReadonlySignerAccounts,
      readonlyOthers: read.header.numReadonlyNonSignerAccounts,
    },
    keys: read.staticAccounts.map(keyOf),
    blockhash: read.lifetimeToken,
    instructions: read.instructions.map(({ programAddressIndex, accountIndices = [], data = [] }) => ({
      program: programAddressIndex,
      accounts: accountIndices,
      data: Uint8Array.from(data),
    })),
  };
  checkPlaces(message);
  return message;
};

/** Whether a message may change what stands at a place among its keys, as far as its header says. */
export const isAgaveWritable = ({ header, keys }: AgaveMessage, place: number): boolean =>
  place < header.signers
    ? place < header.signers - header.readonlySigners
    : place < keys.length - header.readonlyOthers;
