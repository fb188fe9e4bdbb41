import { createCipheriv, createDecipheriv } from "node:crypto";
import { hchacha } from "@noble/ciphers/chacha.js";

/** "expand 32-byte k", as words */
const SIGMA = Uint32Array.of(0x61707865, 0x3320646e, 0x79622d32, 0x6b206574);
const ALGORITHM = "chacha20-poly1305";
const TAG_BYTES = 16;
const OPTIONS = { authTagLength: TAG_BYTES } as const;
export const NONCE_BYTES = 24;
/** the part of the nonce from which the subkey is derived */
const PREFIX_BYTES = 16;
/** zeros before the rest of the nonce */
const ZERO_BYTES = 4;

/** The bytes as words, from a copy, because a view need not begin at a multiple of four. */
const words = (bytes: Uint8Array): Uint32Array => new Uint32Array(Uint8Array.from(bytes).buffer);

/** The subkey and nonce of ChaCha20-Poly1305 (draft-irtf-cfrg-xchacha-03, section 2.3). */
const inner = (key: Uint8Array, nonce: Uint8Array) => {
  const subkey = new Uint32Array(key.length / Uint32Array.BYTES_PER_ELEMENT);
  hchacha(SIGMA, words(key), words(nonce.subarray(0, PREFIX_BYTES)), subkey);
  const rest = Buffer.concat([Buffer.alloc(ZERO_BYTES), nonce.subarray(PREFIX_BYTES)]);
  return { subkey: new Uint8Array(subkey.buffer), rest };
};

/**
 * Encrypts with XChaCha20-Poly1305, on top of OpenSSL's ChaCha20-Poly1305. A signer seals seven small records for a
 * signature; unlike JavaScript, which must be compiled first, OpenSSL is fast from the first record.
 *
 * @param key 32 bytes
 * @param nonce 24 bytes
 * @returns the ciphertext and its tag of 16 bytes
 */
export const encryptXChaCha = (
  key: Uint8Array,
  nonce: Uint8Array,
  bound: Uint8Array,
  plaintext: Uint8Array,
): Uint8Array => {
  const { subkey, rest } = inner(key, nonce);
  const cipher = createCipheriv(ALGORITHM, subkey, rest, OPTIONS);
  cipher.setAAD(bound, { plaintextLength: plaintext.length });
  const sealed = Buffer.concat([cipher.update(plaintext), cipher.final(), cipher.getAuthTag()]);
  subkey.fill(0);
  return sealed;
};

/** @throws if the bytes were not encrypted under this key, nonce and associated data */
export const decryptXChaCha = (
  key: Uint8Array,
  nonce: Uint8Array,
  bound: Uint8Array,
  sealed: Uint8Array,
): Uint8Array => {
  const end = sealed.length - TAG_BYTES;
  if (end < 0) throw new RangeError("shorter than a tag");
  const { subkey, rest } = inner(key, nonce);
  const decipher = createDecipheriv(ALGORITHM, subkey, rest, OPTIONS);
  decipher.setAAD(bound, { plaintextLength: end });
  decipher.setAuthTag(sealed.subarray(end));
  const plaintext = decipher.update(sealed.subarray(0, end)); // complete output: a stream cipher buffers nothing
  decipher.final();
  subkey.fill(0);
  return new Uint8Array(plaintext);
};
