import { secp256k1_hasher } from "@noble/curves/secp256k1.js";
import { concatBytes } from "@noble/curves/utils.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { utf8ToBytes } from "@noble/hashes/utils.js";
import type { Hashes } from "./ciphersuite.ts";

/**
 * hash_to_field to a scalar of secp256k1, by expand_message_xmd with SHA-256 (RFC 9380, section 5). @param
 * tag the DST
 */
export const hashToScalar = (tag: string, input: Uint8Array): bigint =>
  secp256k1_hasher.hashToScalar(input, { DST: utf8ToBytes(tag) });

/** The hash functions of FROST(secp256k1, SHA-256) under a context string: RFC 9591, section 6.5. */
export const secp256k1Hashes = (context: string): Hashes => {
  const hash = (tag: string, input: Uint8Array): Uint8Array =>
    sha256(concatBytes(utf8ToBytes(`${context}${tag}`), input));
  return {
    h1: (input) => hashToScalar(`${context}rho`, input),
    h3: (input) => hashToScalar(`${context}nonce`, input),
    h4: (input) => hash("msg", input),
    h5: (input) => hash("com", input),
  };
};
