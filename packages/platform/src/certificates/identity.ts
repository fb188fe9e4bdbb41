import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  hkdfSync,
  type KeyObject,
} from "node:crypto";
import { fail, ok, type Result } from "@conclave/custody";
import { importDecryptionKeyOf, importEncryptionKeyOf, type PartySecrets, Secret } from "@conclave/threshold";
import { openPrivateKey, sealPrivateKey } from "./private-key.ts";

const ENCRYPTION_INFO = "conclave/v1/encryption";

/** A fresh Ed25519 key: the sealed file, and its public half (32 bytes). */
export interface SealedSigningKey {
  /** encrypted PKCS#8 PEM */
  readonly key: string;
  readonly publicKey: Uint8Array;
}

/** What the roster shows of a signer. */
export interface PublicIdentity {
  /** Ed25519, 32 bytes */
  readonly identityKey: Uint8Array;
  /** X25519, 32 bytes */
  readonly encryptionKey: Uint8Array;
  /** 34 bytes: 1, then a compressed point of secp256k1, to which clients encrypt shares of a key that they import */
  readonly importKey: Uint8Array;
}

/** A signer's fresh identity: one sealed file, and its public keys for the roster. */
export interface Identity extends PublicIdentity {
  /** encrypted PKCS#8 PEM of the Ed25519 key */
  readonly key: string;
}

/** A loaded identity: the secrets that sessions need, and the public keys that the roster must show. */
export interface LoadedIdentity extends PublicIdentity {
  readonly secrets: Secret<PartySecrets>;
}

const seedOf = (key: KeyObject): Uint8Array | undefined => {
  const { d } = key.export({ format: "jwk" });
  return key.asymmetricKeyType !== "ed25519" || d === undefined
    ? undefined
    : new Uint8Array(Buffer.from(d, "base64url"));
};

/** X25519 secret of an identity: one seed to keep, two keys, never the same scalar in two schemes. */
const encryptionSecret = (seed: Uint8Array): Uint8Array =>
  new Uint8Array(hkdfSync("sha256", seed, new Uint8Array(0), ENCRYPTION_INFO, 32));

/** The PKCS#8 wrapping of a raw X25519 scalar (RFC 8410, section 7). */
const X25519_PKCS8_PREFIX = Buffer.from("302e020100300506032b656e04220420", "hex");

const x25519Key = (secret: Uint8Array): KeyObject =>
  createPrivateKey({ key: Buffer.concat([X25519_PKCS8_PREFIX, secret]), format: "der", type: "pkcs8" });

const publicBytes = (key: KeyObject): Uint8Array => {
  const { x } = createPublicKey(key).export({ format: "jwk" });
  if (x === undefined) throw new Error("the key has no public point");
  return new Uint8Array(Buffer.from(x, "base64url"));
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
    importKey: importEncryptionKeyOf(importDecryptionKeyOf(secrets)),
  };
};

/** Makes an Ed25519 key: an authority's or a token issuer's. */
export const makeSigningKey = (passphrase: Secret<string>): SealedSigningKey => {
  const { key, identityKey } = makeIdentity(passphrase);
  return { key, publicKey: identityKey };
};

/** Makes a signer's identity key; its other pairs derive from the same seed. */
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
 * @returns refusal PassphraseWrong, also when the file holds another kind of key
 */
export const loadSigningKey = (pem: string, passphrase: Secret<string>): Result<KeyObject> => {
  const key = openPrivateKey(pem, passphrase);
  if (!key.ok || key.value.asymmetricKeyType === "ed25519") return key;
  return fail("PassphraseWrong", {}, "The key file holds no Ed25519 key.");
};

/**
 * Opens a signer's identity file and derives its other pairs.
 *
 * @returns refusal PassphraseWrong
 */
export const loadIdentity = (pem: string, passphrase: Secret<string>): Result<LoadedIdentity> => {
  const key = loadSigningKey(pem, passphrase);
  if (!key.ok) return key;
  const identity = fromKey(key.value);
  return identity === undefined ? fail("PassphraseWrong") : ok(identity);
};
