import { utf8ToBytes } from "@noble/hashes/utils.js";
import type { KeyScheme } from "./key-format.ts";

/** The attributes of a key: a signer's statement about one whose active share it holds. */
export interface AttestedKey {
  readonly keyId: string;
  readonly scheme: KeyScheme;
  /** lower-case hex without 0x, as the scheme writes it */
  readonly publicKey: string;
}

/**
 * The bytes that a signer's identity key signs of a key: JSON text. The other contents that this key signs,
 * envelopes between signers, begin with another byte, so neither is ever taken for the other.
 */
export const attestationBytes = ({ keyId, scheme, publicKey }: AttestedKey): Uint8Array =>
  utf8ToBytes(JSON.stringify({ kind: "conclave/v1/key-attestation", keyId, scheme, publicKey }));
