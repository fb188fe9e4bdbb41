import { utf8ToBytes } from "@noble/hashes/utils.js";
import type { KeyScheme } from "./key-format.ts";

/** What a key is: what a signer says of one whose active share it holds. */
export interface AttestedKey {
  readonly keyId: string;
  readonly scheme: KeyScheme;
  /** lower-case hex without 0x, as the scheme writes it */
  readonly publicKey: string;
}

/**
 * The bytes that a signer's identity key signs of a key: JSON text. What else that key signs, envelopes between signers,
 * begins with another byte, so neither is ever taken for the other.
 */
export const attestationBytes = ({ keyId, scheme, publicKey }: AttestedKey): Uint8Array =>
  utf8ToBytes(JSON.stringify({ kind: "conclave/v1/key-attestation", keyId, scheme, publicKey }));
