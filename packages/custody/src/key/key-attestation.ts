import { utf8ToBytes } from "@noble/hashes/utils.js";
import type { KeyScheme } from "./key-format.ts";

/** The attributes of a key that a signer attests: it holds an active share of it. */
export interface AttestedKey {
  readonly keyId: string;
  readonly scheme: KeyScheme;
  /** lower-case hex without 0x, as the scheme writes it */
  readonly publicKey: string;
}

/**
 * The bytes that a signer's identity key signs to attest a key: JSON text. The same identity key signs
 * envelopes between signers, which begin with another byte, so neither can be taken for the other.
 */
export const attestationBytes = ({ keyId, scheme, publicKey }: AttestedKey): Uint8Array =>
  utf8ToBytes(JSON.stringify({ kind: "conclave/v1/key-attestation", keyId, scheme, publicKey }));
