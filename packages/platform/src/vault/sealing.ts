import { hkdfSync, randomBytes, scrypt } from "node:crypto";
import type { World } from "@conclave/custody";
import { Secret } from "@conclave/threshold";
import { decryptXChaCha, encryptXChaCha, NONCE_BYTES } from "./xchacha.ts";

const KEY_BYTES = 32;
export const SALT_BYTES = 16;
/** scrypt at 32 MiB and about 70 ms: the highest cost of a guess that a signer's memory budget allows (RFC 7914). */
const SCRYPT = { N: 2 ** 15, r: 8, p: 1, maxmem: 64 * 1024 * 1024 } as const;
const KEY_FILE = /^[0-9a-f]{64}$/;
const KEY_FILE_INFO = "conclave/v1/vault";

/** Derives the key of a store. The 32 random bytes of a key file need no stretching; a person's passphrase does. */
export const deriveKey = async (
  passphrase: Secret<string>,
  salt: Uint8Array,
): Promise<Secret<Uint8Array>> => {
  const text = passphrase.reveal();
  if (KEY_FILE.test(text)) {
    return new Secret(
      new Uint8Array(hkdfSync("sha256", Buffer.from(text, "hex"), salt, KEY_FILE_INFO, KEY_BYTES)),
    );
  }
  return new Promise((resolve, reject) => {
    scrypt(text.normalize("NFKC"), salt, KEY_BYTES, SCRYPT, (error, key) =>
      error === null ? resolve(new Secret(new Uint8Array(key))) : reject(error),
    );
  });
};

/**
 * Encrypts a value: nonce, then XChaCha20-Poly1305. The record's name is authenticated, so that no value can replace
 * another's.
 * @param entropy makes the nonce; the system's randomness where it is left out
 */
export const sealValue = (
  key: Secret<Uint8Array>,
  name: string,
  value: Secret<Uint8Array>,
  entropy: World["entropy"] = randomBytes,
): Uint8Array => {
  const nonce = entropy(NONCE_BYTES);
  if (nonce.length !== NONCE_BYTES) throw new RangeError(`a nonce has ${NONCE_BYTES} bytes`);
  const sealed = encryptXChaCha(key.reveal(), nonce, Buffer.from(name, "utf8"), value.reveal());
  return new Uint8Array(Buffer.concat([nonce, sealed]));
};

/** Decrypts a value. @returns undefined if the bytes were not sealed under this key and name */
export const unsealValue = (
  key: Secret<Uint8Array>,
  name: string,
  bytes: Uint8Array,
): Secret<Uint8Array> | undefined => {
  if (bytes.length < NONCE_BYTES) return undefined;
  const [nonce, sealed] = [bytes.subarray(0, NONCE_BYTES), bytes.subarray(NONCE_BYTES)];
  try {
    return new Secret(decryptXChaCha(key.reveal(), nonce, Buffer.from(name, "utf8"), sealed));
  } catch {
    return undefined;
  }
};
