import { bytesToNumberBE, numberToBytesBE } from "@noble/curves/utils.js";
import { hkdf } from "@noble/hashes/hkdf.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { utf8ToBytes } from "@noble/hashes/utils.js";
import { SCALAR_BYTES, SECP256K1 } from "../curve.ts";
import { Secret } from "../secret.ts";
import type { PartySecrets } from "../session/config.ts";
import { hashFields } from "../transcript.ts";

const INFO = utf8ToBytes("conclave/v1/key-import");
/** 128 bits more than the order has: what is reduced is uniform (RFC 9380, section 5). */
const WIDE_BYTES = 48;

/**
 * The key with which a party opens its share of an import, from the long-term secret with which it opens what peers seal
 * for it. Nothing more has to be kept, and it survives whatever that secret survives; HKDF's info keeps the two apart.
 *
 * @returns a scalar of secp256k1, 32 bytes, big-endian, never zero
 */
export const importDecryptionKeyOf = (secrets: Secret<PartySecrets>): Secret<Uint8Array> => {
  const wide = hkdf(sha256, secrets.reveal().encryption, undefined, INFO, WIDE_BYTES);
  const scalar = (bytesToNumberBE(wide) % (SECP256K1.order - 1n)) + 1n;
  return new Secret(numberToBytesBE(scalar, SCALAR_BYTES));
};

/**
 * The id under which import clients know a party: 32 bytes that follow from its encryption key, so that no list can show
 * one party's id beside another's key and go unnoticed.
 *
 * @param encryptionKey 34 bytes, see importEncryptionKeyOf
 */
export const importSignerIdOf = (encryptionKey: Uint8Array): Uint8Array =>
  hashFields("import signer id", [encryptionKey]);
