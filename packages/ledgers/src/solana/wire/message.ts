import { base58 } from "@scure/base";
import { type AgaveAddress, agaveAddressOf } from "../address.ts";
import { AgaveReader, AgaveWireError } from "./reader.ts";

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

const KEY_BYTES = 32;
const VERSION_BIT = 0x80;

const readInstruction = (reader: AgaveReader): AgaveInstruction => ({
  program: reader.byte(),
  accounts: [...reader.take(reader.length())],
  data: reader.take(reader.length()),
});

const times = <T>(count: number, read: () => T): readonly T[] => Array.from({ length: count }, read);

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
  const reader = new AgaveReader(bytes);
  const first = reader.byte();
  const isVersioned = first >= VERSION_BIT;
  if (isVersioned && first !== VERSION_BIT) {
    throw new AgaveWireError(`this simulated ledger knows no messages of version ${first - VERSION_BIT}`);
  }
  const header = {
    signers: isVersioned ? reader.byte() : first,
    readonlySigners: reader.byte(),
    readonlyOthers: reader.byte(),
  };
  const keys = times(reader.length(), () => agaveAddressOf(reader.take(KEY_BYTES)));
  const blockhash = base58.encode(reader.take(KEY_BYTES));
  const instructions = times(reader.length(), () => readInstruction(reader));
  if (isVersioned && reader.length() > 0) {
    throw new AgaveWireError("this simulated ledger takes no address lookup tables");
  }
  if (!reader.isAtEnd) throw new AgaveWireError("there are bytes behind the message");
  const message: AgaveMessage = {
    version: isVersioned ? 0 : "legacy",
    header,
    keys,
    blockhash,
    instructions,
  };
  checkPlaces(message);
  return message;
};

/** Whether a message may change what stands at a place among its keys, as far as its header says. */
export const isAgaveWritable = ({ header, keys }: AgaveMessage, place: number): boolean =>
  place < header.signers
    ? place < header.signers - header.readonlySigners
    : place < keys.length - header.readonlyOthers;
