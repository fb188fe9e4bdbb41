import { schnorr } from "@noble/curves/secp256k1.js";
import type { BitcoindOutput, BitcoindTransaction } from "../transaction/transaction.ts";
import { isDefinedHashType } from "./hash-type.ts";
import { SCRIPT_ERRORS, type ScriptError } from "./script-error.ts";
import { taprootSpendDigest } from "./taproot-digest.ts";

const DEFAULT = 0;

/**
 * The signature of a Taproot key path: 64 bytes, or 65 with a hash type that is not DEFAULT.
 * @source BIP-341; Bitcoin Core, src/script/interpreter.cpp: CheckSchnorrSignature
 */
export const checkSchnorr = (
  signature: Uint8Array,
  key: Uint8Array,
  transaction: BitcoindTransaction,
  signed: number,
  spent: readonly BitcoindOutput[],
): ScriptError | undefined => {
  if (signature.length !== 64 && signature.length !== 65) return SCRIPT_ERRORS.schnorrSize;
  const hashType = signature.length === 64 ? DEFAULT : (signature[64] ?? 0);
  if (signature.length === 65 && !isDefinedHashType(hashType)) return SCRIPT_ERRORS.schnorrHashType;
  const digest = taprootSpendDigest(transaction, signed, spent, hashType);
  if (digest === undefined) return SCRIPT_ERRORS.schnorrHashType;
  return isSchnorr(signature.subarray(0, 64), digest, key) ? undefined : SCRIPT_ERRORS.schnorr;
};

const isSchnorr = (signature: Uint8Array, digest: Uint8Array, key: Uint8Array): boolean => {
  try {
    return schnorr.verify(signature, digest, key);
  } catch {
    return false; // the key is not the x coordinate of a point
  }
};
