import { sha256 } from "@noble/hashes/sha2.js";
import { utf8ToBytes } from "@noble/hashes/utils.js";
import { base58 } from "@scure/base";
import { type AgaveMessage, readAgaveMessage } from "./message.ts";
import { AgaveReader, AgaveWireError } from "./reader.ts";

/** One packet: no transaction is longer. @source Solana, solana-packet: PACKET_DATA_SIZE */
export const AGAVE_TRANSACTION_BYTES_MAX = 1_232;
const SIGNATURE_BYTES = 64;

/** A signed transaction as it came. */
export interface AgaveTransaction {
  readonly bytes: Uint8Array;
  /** base58; the first is what the transaction is known by */
  readonly signatures: readonly string[];
  readonly message: AgaveMessage;
  /** base58: nodes know by it that a message was carried out, whatever its signatures */
  readonly messageHash: string;
}

/**
 * Reads a transaction to its last byte.
 * @throws AgaveWireError
 */
export const readAgaveTransaction = (bytes: Uint8Array): AgaveTransaction => {
  const reader = new AgaveReader(bytes);
  const signatures = Array.from({ length: reader.length() }, () =>
    base58.encode(reader.take(SIGNATURE_BYTES)),
  );
  const messageBytes = reader.rest;
  const message = readAgaveMessage(messageBytes);
  if (signatures.length !== message.header.signers) {
    throw new AgaveWireError(
      "invalid transaction: Transaction failed to sanitize accounts offsets correctly",
    );
  }
  return { bytes, signatures, message, messageHash: hashOfMessage(messageBytes) };
};

const hashOfMessage = (message: Uint8Array): string =>
  base58.encode(sha256(Uint8Array.from([...utf8ToBytes("solana-tx-message-v1"), ...message])));

export const agaveSignatureOf = ({ signatures }: AgaveTransaction): string => signatures[0] ?? "";
