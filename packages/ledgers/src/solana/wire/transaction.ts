import { sha256 } from "@noble/hashes/sha2.js";
import { utf8ToBytes } from "@noble/hashes/utils.js";
import { base58 } from "@scure/base";
import { getTransactionCodec } from "@solana/kit";
import { decodeCanonical } from "./canonical.ts";
import { type AgaveMessage, readAgaveMessage } from "./message.ts";

const CODEC = getTransactionCodec();

/** The size of a packet, which a transaction cannot exceed. @source Solana, solana-packet: PACKET_DATA_SIZE */
export const AGAVE_TRANSACTION_BYTES_MAX = 1_232;
const SIGNATURE_BYTES = 64;

/** A signed transaction in its received form, with its decoded content. */
export interface AgaveTransaction {
  readonly bytes: Uint8Array;
  /** base58; the first one is the transaction's id */
  readonly signatures: readonly string[];
  readonly message: AgaveMessage;
  /** base58; nodes recognise a message that was already carried out by this hash, whatever its signatures */
  readonly messageHash: string;
}

/**
 * Decodes a whole transaction.
 * @throws AgaveWireError
 */
export const readAgaveTransaction = (bytes: Uint8Array): AgaveTransaction => {
  const { signatures, messageBytes } = decodeCanonical(CODEC, bytes);
  const unread = Uint8Array.from(messageBytes);
  return {
    bytes,
    // one for each signer, in order; a missing one is all zeros
    signatures: Object.values(signatures).map((each) =>
      base58.encode(each ?? new Uint8Array(SIGNATURE_BYTES)),
    ),
    message: readAgaveMessage(unread),
    messageHash: hashOfMessage(unread),
  };
};

const hashOfMessage = (message: Uint8Array): string =>
  base58.encode(sha256(Uint8Array.from([...utf8ToBytes("solana-tx-message-v1"), ...message])));

export const agaveSignatureOf = ({ signatures }: AgaveTransaction): string => signatures[0] ?? "";
