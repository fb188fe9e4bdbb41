import { bytesToNumberBE, numberToBytesBE } from "@noble/curves/utils.js";
import { hkdf } from "@noble/hashes/hkdf.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { utf8ToBytes } from "@noble/hashes/utils.js";
import { SCALAR_BYTES, SECP256K1 } from "../curve.ts";
import { Secret } from "../secret.ts";
import type { PartySecrets } from "../session/config.ts";
import { hashFields } from "../transcript.ts";

const INFO = utf8ToBytes("conclave/v1/key-import");
/** 128 bits more than the order has, so that the bias of the reduction is negligible (RFC 9380, section 5). */
const WIDE_BYTES = 48;

/**
 * Derives the key by which a party opens its entries of imports from its long-term decryption secret for
 * sealed messages. So no further secret needs to be stored, and the key is as durable as that secret; HKDF's
 * info separates the two.
 *
 * @returns a scalar of secp256k1, 32 bytes, big-endian, never zero
 */
export const importDecryptionKeyOf = (secrets: Secret<PartySecrets>): Secret<Uint8Array> => {
  const wide = hkdf(sha256, secrets.reveal().encryption, undefined, INFO, WIDE_BYTES);
  const scalar = (bytesToNumberBE(wide) % (SECP256K1.order - 1n)) + 1n;
  return new Secret(numberToBytesBE(scalar, SCALAR_BYTES));
};

/**
 * The id of a party for import clients: 32 bytes derived from its encryption key, so that a client can detect
 * a list that pairs one party's id with another's key.
 *
 * @param encryptionKey 34 bytes, see importEncryptionKeyOf
 */
export const importSignerIdOf = (encryptionKey: Uint8Array): Uint8Array =>
  hashFields("import signer id", [encryptionKey]);
