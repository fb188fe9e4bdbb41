import type { SignedAuthorisation } from "@conclave/custody";
import { signEd25519 } from "@conclave/threshold";
import { ed25519 } from "@noble/curves/ed25519.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { utf8ToBytes } from "@noble/hashes/utils.js";

/** The authority of a simulated cluster, whose key all its signers pin. */
export interface SimulatedAuthority {
  /** Ed25519, 32 bytes */
  readonly publicKey: Uint8Array;
  readonly authorise: (content: object) => SignedAuthorisation;
}

/** INSECURE: an authority whose key follows from the seed. */
export const insecureAuthority = (seed: string): SimulatedAuthority => {
  const secret = sha256(utf8ToBytes(`${seed}/authority`));
  return {
    publicKey: ed25519.getPublicKey(secret),
    authorise: (content) => {
      const payload = utf8ToBytes(JSON.stringify(content));
      return { payload, signature: signEd25519(payload, secret) };
    },
  };
};
