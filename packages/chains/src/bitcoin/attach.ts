import {
  bitcoinScriptBody,
  bitcoinScriptType,
  fail,
  hash160,
  ok,
  type Result,
  type SchemeSignature,
} from "@conclave/custody";
import { schnorr, secp256k1 } from "@noble/curves/secp256k1.js";
import { concatBytes, equalBytes } from "@noble/curves/utils.js";
import type { SignedTransaction } from "../chain.ts";
import { decodePsbt, type PsbtInput, transactionOf } from "./wire/psbt.ts";
import { SIGHASH_ALL, segwitDigests, taprootDigests } from "./wire/sighash.ts";
import { encodeWitnessed, txidOf } from "./wire/transaction.ts";

/** What stands in the witness of one input; undefined when the signature is not the key's. */
type Witness = readonly Uint8Array[] | undefined;

/** P2WPKH (BIP-141): the signature in DER with its hash type, and the key. Nodes relay low s alone. */
const ecdsaWitness = (signature: SchemeSignature, digest: Uint8Array, key: Uint8Array): Witness => {
  if (signature.scheme !== "CGGMP24") return undefined;
  try {
    const parsed = new secp256k1.Signature(signature.r, signature.s);
    const compact = parsed.toBytes("compact");
    const isOurs = secp256k1.verify(compact, digest, key, { prehash: false, lowS: true });
    if (!isOurs || parsed.hasHighS()) return undefined;
    return [concatBytes(parsed.toBytes("der"), Uint8Array.of(SIGHASH_ALL)), key];
  } catch {
    return undefined;
  }
};

/** P2TR by its key path (BIP-341): the signature alone. */
const schnorrWitness = (signature: SchemeSignature, digest: Uint8Array, key: Uint8Array): Witness => {
  if (signature.scheme !== "FROST-Taproot") return undefined;
  try {
    return schnorr.verify(signature.bytes, digest, key) ? [signature.bytes] : undefined;
  } catch {
    return undefined;
  }
};

const isPaidTo = ({ coin }: PsbtInput, key: Uint8Array): boolean => {
  switch (bitcoinScriptType(coin.script)) {
    case "P2WPKH":
      return equalBytes(bitcoinScriptBody(coin.script), hash160(key));
    case "P2TR":
      return equalBytes(bitcoinScriptBody(coin.script), key);
    default:
      return false;
  }
};

/**
 * Puts signatures into their transaction, after checking once more that each is the wallet's.
 * @param unsigned the PSBT that was signed
 * @param signatures one for each input, in their order
 * @param keys the wallet's public key, and no other: 33 bytes of ECDSA, or the 32 of Taproot's output key
 * @returns the bytes to broadcast and their txid, which no signature changes; Internal when a signature is not the key's
 */
export const attachBitcoinSignatures = (
  unsigned: Uint8Array,
  signatures: readonly SchemeSignature[],
  keys: readonly Uint8Array[],
): Result<SignedTransaction> => {
  const decoded = decodePsbt(unsigned);
  if (!decoded.ok) return decoded;
  const psbt = decoded.value;
  const [key, ...others] = keys;
  if (key === undefined || others.length > 0 || signatures.length !== psbt.inputs.length) {
    return fail("Internal", {}, "A Bitcoin transaction takes one signature of one key for each input.");
  }
  const isTaproot = key.length === TAPROOT_KEY_BYTES;
  const digests = isTaproot ? taprootDigests(psbt) : segwitDigests(psbt);
  const witnesses = psbt.inputs.map((input, at): Witness => {
    const [signature, digest] = [signatures[at], digests[at]];
    if (signature === undefined || digest === undefined || !isPaidTo(input, key)) return undefined;
    return (isTaproot ? schnorrWitness : ecdsaWitness)(signature, digest, key);
  });
  const whole = witnesses.filter((witness) => witness !== undefined);
  if (whole.length < witnesses.length) return fail("Internal", {}, "A signature is not the wallet's.");
  const transaction = transactionOf(psbt);
  return ok({ signed: encodeWitnessed(transaction, whole), txHash: txidOf(transaction) });
};

const TAPROOT_KEY_BYTES = 32;
