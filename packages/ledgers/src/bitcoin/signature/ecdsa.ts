import { secp256k1 } from "@noble/curves/secp256k1.js";
import { isKeyShaped } from "../script/script-kind.ts";
import { readStrictDer } from "./der.ts";
import { isDefinedHashType } from "./hash-type.ts";
import { SCRIPT_ERRORS, type ScriptError, type ScriptRules } from "./script-error.ts";

/**
 * Converts a hybrid key, which states its parity twice, to the uncompressed form. Relay policy forbids hybrid keys,
 * consensus allows them.
 */
const withoutHybrid = (key: Uint8Array): Uint8Array => {
  const [first = 0] = key;
  const isHybrid = key.length === 65 && (first === 6 || first === 7);
  return isHybrid ? Uint8Array.from([4, ...key.subarray(1)]) : key;
};

const verifies = (compact: Uint8Array, digest: Uint8Array, key: Uint8Array): boolean => {
  try {
    const options = { prehash: false, lowS: false, format: "compact" } as const;
    return secp256k1.verify(compact, digest, withoutHybrid(key), options);
  } catch {
    return false; // the key is not a point of the curve, or r or s is out of range
  }
};

export interface EcdsaCheck {
  /** strict DER, followed by the byte of the hash type */
  readonly signature: Uint8Array;
  readonly publicKey: Uint8Array;
  readonly digestOf: (hashType: number) => Uint8Array;
  readonly rules: ScriptRules;
  /** witness version 0 requires compressed keys */
  readonly isSegwit: boolean;
}

/**
 * OP_CHECKSIG at the end of a script, where its result must be true.
 * @source Bitcoin Core, src/script/interpreter.cpp: CheckSignatureEncoding, CheckPubKeyEncoding, EvalChecksigPreTapscript
 */
export const checkEcdsa = (check: EcdsaCheck): ScriptError | undefined => {
  const { signature, publicKey, digestOf, rules, isSegwit } = check;
  if (signature.length === 0) return SCRIPT_ERRORS.evaluatedFalse;
  const hashType = signature.at(-1) ?? 0;
  const parsed = readStrictDer(signature.subarray(0, -1));
  if (parsed === undefined) return SCRIPT_ERRORS.der;
  if (rules === "standard") {
    if (parsed !== "out of range" && !parsed.isLowS) return SCRIPT_ERRORS.highS;
    if (!isDefinedHashType(hashType)) return SCRIPT_ERRORS.hashType;
    if (!isKeyShaped(publicKey) || (publicKey[0] ?? 0) > 4) return SCRIPT_ERRORS.publicKey;
    if (isSegwit && publicKey.length !== 33) return SCRIPT_ERRORS.uncompressed;
  }
  if (parsed !== "out of range" && verifies(parsed.compact, digestOf(hashType), publicKey)) return undefined;
  return rules === "standard" ? SCRIPT_ERRORS.nullFail : SCRIPT_ERRORS.evaluatedFalse;
};
