import { concatBytes, equalBytes } from "@noble/curves/utils.js";
import { solanaAddress, solanaPublicKey } from "../rules/address.ts";
import { lengthBytes, MalformedBytes, MessageReader } from "./message-reader.ts";

/** A transaction, with its signature, fits into one packet (IPv6's minimum MTU without headers). */
const TRANSACTION_BYTES_MAX = 1_232;
const SIGNATURE_BYTES = 64;
const KEY_BYTES = 32;
const VERSION_0 = 0x80;

export interface MessageInstruction {
  /** addresses */
  readonly program: string;
  readonly accounts: readonly string[];
  readonly data: Uint8Array;
}

/** The message of a transaction with one signer, which also pays the fee. */
export interface SolanaMessage {
  readonly version: "legacy" | 0;
  /** its accounts: the signer, then writable ones, then read-only ones */
  readonly accounts: readonly string[];
  /** number of read-only accounts */
  readonly readOnly: number;
  /** base58 of 32 bytes */
  readonly blockhash: string;
  readonly instructions: readonly MessageInstruction[];
}

/** The decoded transaction, or the reason why decoding failed, in words. */
export type DecodedMessage =
  | { readonly ok: true; readonly message: SolanaMessage }
  | { readonly ok: false; readonly why: string };

/**
 * The bytes of an unsigned transaction (Solana Documentation, "Transactions"): the count of signatures, one all-zero signature,
 * and the message. The chain's libraries serialise unsigned transactions in this form.
 */
export const encodeUnsigned = (message: SolanaMessage): Uint8Array =>
  concatBytes(Uint8Array.of(1), new Uint8Array(SIGNATURE_BYTES), encodeMessage(message));

/** The transaction with its signature, as nodes accept it. @param unsigned bytes that `decodeUnsigned` accepted */
export const withSignature = (unsigned: Uint8Array, signature: Uint8Array): Uint8Array =>
  concatBytes(Uint8Array.of(1), signature, messageOf(unsigned));

/** The bytes to sign: all after the signature. */
export const messageOf = (transaction: Uint8Array): Uint8Array => transaction.slice(1 + SIGNATURE_BYTES);

/** The signature of a signed transaction. */
export const signatureIn = (transaction: Uint8Array): Uint8Array => transaction.slice(1, 1 + SIGNATURE_BYTES);

const encodeMessage = ({ version, accounts, readOnly, ...message }: SolanaMessage): Uint8Array => {
  const indexOf = (address: string): number => {
    const index = accounts.indexOf(address);
    if (index < 0) throw new TypeError("an instruction uses an account that the message does not name");
    return index;
  };
  const instructions = message.instructions.map(({ program, accounts: used, data }) =>
    concatBytes(
      Uint8Array.of(indexOf(program)),
      lengthBytes(used.length),
      Uint8Array.from(used.map(indexOf)),
      lengthBytes(data.length),
      data,
    ),
  );
  return concatBytes(
    Uint8Array.from(version === 0 ? [VERSION_0, 1, 0, readOnly] : [1, 0, readOnly]),
    lengthBytes(accounts.length),
    ...accounts.map(solanaPublicKey),
    solanaPublicKey(message.blockhash),
    lengthBytes(instructions.length),
    ...instructions,
    version === 0 ? Uint8Array.of(0) : new Uint8Array(0),
  );
};

/**
 * Decodes a transaction with one empty signature strictly: encoding the result must give the same bytes, so that no byte stays
 * unread.
 */
export const decodeUnsigned = (unsigned: Uint8Array): DecodedMessage => {
  if (unsigned.length > TRANSACTION_BYTES_MAX) return { ok: false, why: "it is too long" };
  try {
    const reader = new MessageReader(unsigned);
    if (reader.byte() !== 1)
      throw new MalformedBytes("it has more than one signer, or no place for a signature");
    if (reader.bytes(SIGNATURE_BYTES).some((byte) => byte !== 0)) {
      throw new MalformedBytes("its signature is not empty");
    }
    const message = readMessage(reader);
    reader.end();
    return equalBytes(encodeUnsigned(message), unsigned)
      ? { ok: true, message }
      : { ok: false, why: "it is not in its shortest form" };
  } catch (error) {
    if (error instanceof MalformedBytes) return { ok: false, why: error.message };
    throw error;
  }
};

const readHeader = (reader: MessageReader): Pick<SolanaMessage, "version" | "readOnly"> => {
  const first = reader.byte();
  if (first > VERSION_0) throw new MalformedBytes("it is of a version that nobody reads here");
  const version = first === VERSION_0 ? 0 : "legacy";
  const signers = version === 0 ? reader.byte() : first;
  const readOnlySigners = reader.byte();
  if (signers !== 1 || readOnlySigners !== 0)
    throw new MalformedBytes("it has not exactly one signer who pays");
  return { version, readOnly: reader.byte() };
};

const readMessage = (reader: MessageReader): SolanaMessage => {
  const { version, readOnly } = readHeader(reader);
  const accounts = Array.from({ length: boundedLength(reader) }, () =>
    solanaAddress(reader.bytes(KEY_BYTES)),
  );
  if (accounts.length <= readOnly) throw new MalformedBytes("its signer may not be changed");
  if (new Set(accounts).size !== accounts.length) throw new MalformedBytes("it names an account twice");
  const blockhash = solanaAddress(reader.bytes(KEY_BYTES));
  const instructions = Array.from({ length: boundedLength(reader) }, () => readInstruction(reader, accounts));
  if (version === 0 && reader.length() !== 0) throw new MalformedBytes("it uses an address lookup table");
  const used = new Set(instructions.flatMap(({ program, accounts: named }) => [program, ...named]));
  if (accounts.slice(1).some((address) => !used.has(address))) {
    throw new MalformedBytes("it names an account that no instruction uses");
  }
  return { version, accounts, readOnly, blockhash, instructions };
};

/** A list cannot have more members than the transaction has bytes. */
const boundedLength = (reader: MessageReader): number => {
  const length = reader.length();
  if (length > TRANSACTION_BYTES_MAX) throw new MalformedBytes("it ends too early");
  return length;
};

const readInstruction = (reader: MessageReader, accounts: readonly string[]): MessageInstruction => {
  const account = (): string => {
    const address = accounts[reader.byte()];
    if (address === undefined) throw new MalformedBytes("an instruction uses an account that is not there");
    return address;
  };
  const program = account();
  const used = Array.from({ length: boundedLength(reader) }, account);
  return { program, accounts: used, data: reader.bytes(boundedLength(reader)) };
};
