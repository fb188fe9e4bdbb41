import { getCompiledTransactionMessageCodec } from "@solana/kit";
import { type AgaveAddress, parseAgaveAddress } from "../address.ts";
import { AgaveWireError, decodeCanonical } from "./canonical.ts";

export interface AgaveInstruction {
  /** index of the program's address among the keys */
  readonly program: number;
  /** indexes of accounts among the keys */
  readonly accounts: readonly number[];
  readonly data: Uint8Array;
}

/** The message that the signatures cover. */
export interface AgaveMessage {
  readonly version: "legacy" | 0;
  readonly header: {
    readonly signers: number;
    readonly readonlySigners: number;
    readonly readonlyOthers: number;
  };
  /** fee payer first; signers before others, and in each group the writable keys first */
  readonly keys: readonly AgaveAddress[];
  readonly blockhash: string;
  readonly instructions: readonly AgaveInstruction[];
}

const CODEC = getCompiledTransactionMessageCodec();
/**
 * If set in the first byte, the rest of that byte is the message's version; otherwise the byte is a legacy message's
 * number of signers.
 */
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
 * Decodes a whole message of the legacy form or version 0.
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

/** Whether a message's header marks the key at an index as writable. */
export const isAgaveWritable = ({ header, keys }: AgaveMessage, place: number): boolean =>
  place < header.signers
    ? place < header.signers - header.readonlySigners
    : place < keys.length - header.readonlyOthers;
