import { fail, ok, type Result } from "@conclave/custody";
import { secp256k1 } from "@noble/curves/secp256k1.js";
import { bytesToHex } from "@noble/hashes/utils.js";

/** An ECDSA signature of secp256k1. */
export interface RecoverableSignature {
  readonly r: bigint;
  readonly s: bigint;
  /** the parity of R's y; 2 and 3 (R's x overflowed the order) cannot be encoded in a transaction */
  readonly recovery: number;
}

/** The orchestrator recovers a key when it attaches a signature, and again when it reads the transaction: room for some hundred requests. */
const RECOVERED_MAX = 256;

const recoveredKeys = new Map<string, Uint8Array>();

/**
 * Recovers the key that made a signature over a digest.
 * @param digest 32 bytes
 * @returns 33 bytes, compressed; Internal when the signature is invalid, its s is in the upper half (EIP-2), or its recovery id
 * is not 0 or 1
 */
export const recoverPublicKey = (digest: Uint8Array, signature: RecoverableSignature): Result<Uint8Array> => {
  if (signature.recovery !== 0 && signature.recovery !== 1) {
    return fail("Internal", { recovery: signature.recovery }, "The signature has an impossible recovery id.");
  }
  try {
    const question = `${bytesToHex(digest)}/${signature.r}/${signature.s}/${signature.recovery}`;
    const known = recoveredKeys.get(question);
    if (known !== undefined) return ok(known.slice());
    const parsed = new secp256k1.Signature(signature.r, signature.s, signature.recovery);
    if (parsed.hasHighS()) return fail("Internal", {}, "The signature's s is in the upper half (EIP-2).");
    const key = parsed.recoverPublicKey(digest).toBytes(true);
    keep(question, key);
    return ok(key.slice());
  } catch {
    return fail("Internal", {}, "The signature is not one of secp256k1.");
  }
};

const keep = (question: string, key: Uint8Array): void => {
  recoveredKeys.set(question, key);
  const oldest = recoveredKeys.keys().next();
  if (recoveredKeys.size > RECOVERED_MAX && !oldest.done) recoveredKeys.delete(oldest.value);
};
