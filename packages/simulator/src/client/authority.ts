import { createPrivateKey, type KeyObject } from "node:crypto";
import type { SignedAuthorisation } from "@conclave/custody";
import { signEd25519 } from "@conclave/threshold";
import { ed25519 } from "@noble/curves/ed25519.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { utf8ToBytes } from "@noble/hashes/utils.js";

/** The authority of a simulated cluster, whose key all its signers pin. */
export interface SimulatedAuthority {
  /** Ed25519, 32 bytes */
  readonly publicKey: Uint8Array;
  /** the private key, 32 bytes */
  readonly secret: Uint8Array;
  /** the key with which gateways sign */
  readonly privateKey: KeyObject;
  /** Signs what no gateway asked for. */
  readonly authorise: (content: object) => SignedAuthorisation;
}

/** A PKCS #8 private key of Ed25519 is these bytes and its 32 bytes (RFC 8410). */
const PKCS8_PREFIX = "302e020100300506032b657004220420";

/** INSECURE: an authority whose key follows from the seed. */
export const insecureAuthority = (seed: string): SimulatedAuthority => {
  const secret = sha256(utf8ToBytes(`${seed}/authority`));
  const key = Buffer.concat([Buffer.from(PKCS8_PREFIX, "hex"), secret]);
  return {
    publicKey: ed25519.getPublicKey(secret),
    secret,
    privateKey: createPrivateKey({ key, format: "der", type: "pkcs8" }),
    authorise: (content) => {
      const payload = utf8ToBytes(JSON.stringify(content));
      return { payload, signature: signEd25519(payload, secret) };
    },
  };
};
