import {
  createECDH,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  hkdfSync,
  type KeyObject,
} from "node:crypto";
import { fail, ok, type Result } from "@conclave/custody";
import { importDecryptionKeyOf, type PartySecrets, Secret } from "@conclave/threshold";
import { openPrivateKey, sealPrivateKey } from "./private-key.ts";

const ENCRYPTION_INFO = "conclave/v1/encryption";

/** A new Ed25519 key: the encrypted file, and the public key (32 bytes). */
export interface SealedSigningKey {
  /** encrypted PKCS#8 PEM */
  readonly key: string;
  readonly publicKey: Uint8Array;
}

/** The public keys of a signer, as the roster lists them. */
export interface PublicIdentity {
  /** Ed25519, 32 bytes */
  readonly identityKey: Uint8Array;
  /** X25519, 32 bytes */
  readonly encryptionKey: Uint8Array;
  /** 34 bytes: 1, then a compressed point of secp256k1; clients encrypt the shares of imported keys to it */
  readonly importKey: Uint8Array;
}

/** A signer's new identity: one encrypted file, and the public keys for the roster. */
export interface Identity extends PublicIdentity {
  /** encrypted PKCS#8 PEM of the Ed25519 key */
  readonly key: string;
}

/** A loaded identity: the secrets that sessions need, and the public keys that the roster must list. */
export interface LoadedIdentity extends PublicIdentity {
  readonly secrets: Secret<PartySecrets>;
}

const seedOf = (key: KeyObject): Uint8Array | undefined => {
  const { d } = key.export({ format: "jwk" });
  return key.asymmetricKeyType !== "ed25519" || d === undefined
    ? undefined
    : new Uint8Array(Buffer.from(d, "base64url"));
};

/**
 * The X25519 secret of an identity. It is derived from the same seed as the Ed25519 key, so that one file holds both and no
 * scalar serves two schemes.
 */
const encryptionSecret = (seed: Uint8Array): Uint8Array =>
  new Uint8Array(hkdfSync("sha256", seed, new Uint8Array(0), ENCRYPTION_INFO, 32));

/** Header of a PKCS#8 file that holds a raw X25519 scalar (RFC 8410, section 7). */
const X25519_PKCS8_PREFIX = Buffer.from("302e020100300506032b656e04220420", "hex");

const x25519Key = (secret: Uint8Array): KeyObject =>
  createPrivateKey({ key: Buffer.concat([X25519_PKCS8_PREFIX, secret]), format: "der", type: "pkcs8" });

const publicBytes = (key: KeyObject): Uint8Array => {
  const { x } = createPublicKey(key).export({ format: "jwk" });
  if (x === undefined) throw new Error("the key has no public point");
  return new Uint8Array(Buffer.from(x, "base64url"));
};

/** The first byte of an import key, as threshold's importEncryptionKeyOf writes it. */
const IMPORT_KEY_VERSION = 1;

/**
 * The same bytes as threshold's importEncryptionKeyOf, computed by OpenSSL with one multiplication:
 * importEncryptionKeyOf first precomputes a table, which would slow every start of a signer.
 */
const importKeyOf = (secrets: Secret<PartySecrets>): Uint8Array => {
  const ecdh = createECDH("secp256k1");
  ecdh.setPrivateKey(importDecryptionKeyOf(secrets).reveal());
  return Uint8Array.of(IMPORT_KEY_VERSION, ...ecdh.getPublicKey(null, "compressed"));
};

const fromKey = (key: KeyObject): LoadedIdentity | undefined => {
  const seed = seedOf(key);
  if (seed === undefined) return undefined;
  const encryption = encryptionSecret(seed);
  const secrets = new Secret({ identity: seed, encryption });
  return {
    secrets,
    identityKey: publicBytes(key),
    encryptionKey: publicBytes(x25519Key(encryption)),
    importKey: importKeyOf(secrets),
  };
};

/** Makes an Ed25519 key for an authority or a token issuer. */
export const makeSigningKey = (passphrase: Secret<string>): SealedSigningKey => {
  const { key, identityKey } = makeIdentity(passphrase);
  return { key, publicKey: identityKey };
};

/** Makes a signer's identity key. Its encryption and import key pairs derive from the same seed. */
export const makeIdentity = (passphrase: Secret<string>): Identity => {
  const { privateKey } = generateKeyPairSync("ed25519");
  const identity = fromKey(privateKey);
  if (identity === undefined) throw new Error("an Ed25519 key has no seed");
  const { identityKey, encryptionKey, importKey } = identity;
  return { key: sealPrivateKey(privateKey, passphrase), identityKey, encryptionKey, importKey };
};

/**
 * Opens an Ed25519 key file.
 *
 * @returns refusal PassphraseWrong, also if the file holds a key of another kind
 */
export const loadSigningKey = (pem: string, passphrase: Secret<string>): Result<KeyObject> => {
  const key = openPrivateKey(pem, passphrase);
  if (!key.ok || key.value.asymmetricKeyType === "ed25519") return key;
  return fail("PassphraseWrong", {}, "The key file holds no Ed25519 key.");
};

/** Whether an Ed25519 key is the one with this public half, in lower-case hex. */
export const hasPublicHalf = (key: KeyObject, publicKey: string): boolean => {
  const { x = "" } = createPublicKey(key).export({ format: "jwk" });
  return Buffer.from(x, "base64url").toString("hex") === publicKey;
};

/**
 * Opens a signer's identity file and derives its other key pairs.
 *
 * @returns refusal PassphraseWrong
 */
export const loadIdentity = (pem: string, passphrase: Secret<string>): Result<LoadedIdentity> => {
  const key = loadSigningKey(pem, passphrase);
  if (!key.ok) return key;
  const identity = fromKey(key.value);
  return identity === undefined ? fail("PassphraseWrong") : ok(identity);
};
