import { fail, ok, type Result, type SchemeSignature } from "@conclave/custody";
import { ed25519 } from "@noble/curves/ed25519.js";
import { secp256k1 } from "@noble/curves/secp256k1.js";
import { bytesToHex, concatBytes, hexToBytes } from "@noble/curves/utils.js";
import type { SignedTransaction } from "../../chain.ts";
import { decodeToy, digestOf, idOf } from "./transaction.ts";

const SIGNATURE_BYTES = 64;

/** Checks both signatures of a transaction by the chain's own rule. */
const areSignatures = (unsigned: Uint8Array, ecdsa: Uint8Array, eddsa: Uint8Array): boolean => {
  const decoded = decodeToy(unsigned);
  if (!decoded.ok) return false;
  const [first, second] = decoded.value.keys.map((key) => hexToBytes(key));
  if (first === undefined || second === undefined) return false;
  try {
    return (
      secp256k1.verify(ecdsa, digestOf(unsigned), first, { prehash: false, lowS: true }) &&
      ed25519.verify(eddsa, unsigned, second, { zip215: false })
    );
  } catch {
    return false;
  }
};

const refuse = (why: string): Result<never> => fail("Internal", {}, why);

/** Appends two signatures to the bytes: the wallet's over the digest, the cosigner's over the whole bytes. */
export const attachToy = (
  unsigned: Uint8Array,
  signatures: readonly SchemeSignature[],
  keys: readonly Uint8Array[],
): Result<SignedTransaction> => {
  const [ecdsa, eddsa, ...more] = signatures;
  if (ecdsa?.scheme !== "CGGMP24" || eddsa?.scheme !== "FROST-Ed25519" || more.length > 0) {
    return refuse("A toy transaction takes an ECDSA and an Ed25519 signature, in this order.");
  }
  const decoded = decodeToy(unsigned);
  if (!decoded.ok) return decoded;
  if (decoded.value.keys.join() !== keys.map((key) => bytesToHex(key)).join()) {
    return refuse("The keys are not those of the transaction.");
  }
  const compact = new secp256k1.Signature(ecdsa.r, ecdsa.s).toBytes("compact");
  if (!areSignatures(unsigned, compact, eddsa.bytes)) return refuse("A signature is not of its key.");
  return ok({ signed: concatBytes(unsigned, compact, eddsa.bytes), txHash: idOf(unsigned) });
};

/** The unsigned bytes of a validly signed transaction; undefined when a signature is wrong. */
export const openToy = (signed: Uint8Array): Uint8Array | undefined => {
  const unsigned = signed.slice(0, -2 * SIGNATURE_BYTES);
  const ecdsa = signed.slice(-2 * SIGNATURE_BYTES, -SIGNATURE_BYTES);
  const eddsa = signed.slice(-SIGNATURE_BYTES);
  return areSignatures(unsigned, ecdsa, eddsa) ? unsigned : undefined;
};
