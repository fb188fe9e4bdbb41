import { createPrivateKey, type KeyObject } from "node:crypto";
import { fail, ok, type Result } from "@conclave/custody";
import type { Secret } from "@conclave/threshold";

/** Encrypts a private key for a file: PKCS#8 PEM, AES-256-CBC under the passphrase (INV-10). */
export const sealPrivateKey = (key: KeyObject, passphrase: Secret<string>): string =>
  key
    .export({ type: "pkcs8", format: "pem", cipher: "aes-256-cbc", passphrase: passphrase.reveal() })
    .toString();

/**
 * Decrypts a private key in memory.
 *
 * @returns refusal PassphraseWrong if the passphrase does not decrypt it or the text is not encrypted PKCS#8; a key in
 * clear text is refused too
 */
export const openPrivateKey = (pem: string, passphrase: Secret<string>): Result<KeyObject> => {
  if (!pem.includes("-----BEGIN ENCRYPTED PRIVATE KEY-----")) {
    return fail("PassphraseWrong", {}, "The private key is not an encrypted PKCS#8 file.");
  }
  try {
    return ok(createPrivateKey({ key: pem, format: "pem", passphrase: passphrase.reveal() }));
  } catch {
    return fail("PassphraseWrong", {}, "The passphrase does not open the private key.");
  }
};
