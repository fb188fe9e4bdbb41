import { fail, lowerHex, ok, type Result, type SchemeSignature, type SignatureBody } from "@conclave/custody";
import { schnorr, secp256k1 } from "@noble/curves/secp256k1.js";
import { concatBytes, equalBytes, hexToBytes } from "@noble/curves/utils.js";
import type { SignedTransaction } from "../chain.ts";
import { hash160 } from "./rules/address.ts";
import { bitcoinScriptBody, bitcoinScriptType } from "./rules/script.ts";
import { encodeGivenPsbt, readGivenPsbt } from "./wire/given-psbt.ts";
import {
  decodePsbt,
  encodePsbt,
  type Psbt,
  type PsbtInput,
  type PsbtSignature,
  transactionOf,
} from "./wire/psbt.ts";
import { SIGHASH_ALL, segwitDigests, taprootDigests } from "./wire/sighash.ts";
import { encodeTransaction, encodeWitnessed, txidOf } from "./wire/transaction.ts";

/** The checked signature of one input; undefined when it is not the key's. */
type Checked = PsbtSignature | undefined;

/** P2WPKH (BIP-141): the DER signature with its hash type, and the key. Nodes relay only signatures with a low s. */
const checkedEcdsa = (signature: SchemeSignature, digest: Uint8Array, key: Uint8Array): Checked => {
  if (signature.scheme !== "CGGMP24") return undefined;
  try {
    const parsed = new secp256k1.Signature(signature.r, signature.s);
    const compact = parsed.toBytes("compact");
    const isOurs = secp256k1.verify(compact, digest, key, { prehash: false, lowS: true });
    if (!isOurs || parsed.hasHighS()) return undefined;
    const der = concatBytes(parsed.toBytes("der"), Uint8Array.of(SIGHASH_ALL));
    return { kind: "ecdsa", key, signature: der };
  } catch {
    return undefined;
  }
};

/** P2TR by its key path (BIP-341): the signature alone. */
const checkedSchnorr = (signature: SchemeSignature, digest: Uint8Array, key: Uint8Array): Checked => {
  if (signature.scheme !== "FROST-Taproot") return undefined;
  try {
    const isOurs = schnorr.verify(signature.bytes, digest, key);
    return isOurs ? { kind: "taproot", signature: signature.bytes } : undefined;
  } catch {
    return undefined;
  }
};

const witnessOf = (signed: PsbtSignature): readonly Uint8Array[] =>
  signed.kind === "ecdsa" ? [signed.signature, signed.key] : [signed.signature];

const TAPROOT_KEY_BYTES = 32;

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

interface SignedPsbt {
  readonly psbt: Psbt;
  /** one for each input, in their order */
  readonly signatures: readonly PsbtSignature[];
}

/** Checks once more that each signature is the wallet's. @returns Internal when a signature is not */
const checkedPsbt = (
  unsigned: Uint8Array,
  signatures: readonly SchemeSignature[],
  keys: readonly Uint8Array[],
): Result<SignedPsbt> => {
  const decoded = decodePsbt(unsigned);
  if (!decoded.ok) return decoded;
  const psbt = decoded.value;
  const [key, ...others] = keys;
  if (key === undefined || others.length > 0 || signatures.length !== psbt.inputs.length) {
    return fail("Internal", {}, "A Bitcoin transaction takes one signature of one key for each input.");
  }
  const isTaproot = key.length === TAPROOT_KEY_BYTES;
  if (!psbt.inputs.every((input) => isPaidTo(input, key))) {
    return fail("Internal", {}, "A coin of the transaction is not the wallet's.");
  }
  const digests = isTaproot ? taprootDigests(psbt) : segwitDigests(psbt);
  const checked = psbt.inputs.map((_, at): Checked => {
    const [signature, digest] = [signatures[at], digests[at]];
    if (signature === undefined || digest === undefined) return undefined;
    return (isTaproot ? checkedSchnorr : checkedEcdsa)(signature, digest, key);
  });
  const whole = checked.filter((each) => each !== undefined);
  return whole.length < checked.length
    ? fail("Internal", {}, "A signature is not the wallet's.")
    : ok({ psbt, signatures: whole });
};

/**
 * Puts signatures into their transaction, after checking once more that each is the wallet's.
 * @param unsigned the PSBT that was signed
 * @param signatures one for each input, in their order
 * @param keys exactly the wallet's public key: 33 bytes for ECDSA, or Taproot's 32-byte output key
 * @returns the bytes to broadcast and their txid, which no signature changes; Internal when a signature is not the key's
 */
export const attachBitcoinSignatures = (
  unsigned: Uint8Array,
  signatures: readonly SchemeSignature[],
  keys: readonly Uint8Array[],
): Result<SignedTransaction> => {
  const checked = checkedPsbt(unsigned, signatures, keys);
  if (!checked.ok) return checked;
  const transaction = transactionOf(checked.value.psbt);
  const witnesses = checked.value.signatures.map(witnessOf);
  return ok({ signed: encodeWitnessed(transaction, witnesses), txHash: txidOf(transaction) });
};

/**
 * Puts signatures into their PSBT, for callers that only asked for signatures; their wallet software makes the transaction from
 * it (BIP-174, BIP-371).
 * @param asked the body of the request: all fields of its PSBT are returned unchanged, also those that this code does not read
 * @returns the PSBT with a signature for each input; Internal when one is not the key's
 */
export const signedPsbt = (
  unsigned: Uint8Array,
  signatures: readonly SchemeSignature[],
  keys: readonly Uint8Array[],
  asked?: SignatureBody,
): Result<Uint8Array> => {
  const checked = checkedPsbt(unsigned, signatures, keys);
  if (!checked.ok) return checked;
  const { psbt, signatures: made } = checked.value;
  if (asked?.kind !== "Psbt") return ok(encodePsbt(psbt, made));
  const given = readGivenPsbt(hexToBytes(lowerHex(asked.psbt)));
  if (!given.ok) return given;
  // the database row may be wrong, so the request's PSBT must match the PSBT that was signed
  return equalBytes(encodeUnsigned(given.value.psbt), encodeUnsigned(psbt))
    ? ok(encodeGivenPsbt(given.value, made))
    : fail("Internal", {}, "The request asks for another PSBT than the one that is signed.");
};

const encodeUnsigned = (psbt: Psbt): Uint8Array => encodeTransaction(transactionOf(psbt));
