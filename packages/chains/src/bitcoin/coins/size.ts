import { bitcoinScriptType } from "../rules/script.ts";
import { compactSize } from "../wire/bytes.ts";

/** Each byte outside a witness counts four times (BIP-141). */
const WEIGHT_OF_BYTE = 4;
/** version and lock time; marker and flag count once */
const FRAME_WEIGHT = (4 + 4) * WEIGHT_OF_BYTE + 2;
/** outpoint, empty script, sequence */
const INPUT_WEIGHT = (36 + 1 + 4) * WEIGHT_OF_BYTE;
/** a count, a signature in DER of at most 71 bytes with its hash type, a key of 33 bytes, and their lengths */
const P2WPKH_WITNESS_WEIGHT = 1 + 1 + 72 + 1 + 33;
/** a count, and a signature of 64 bytes with its length */
const P2TR_WITNESS_WEIGHT = 1 + 1 + 64;
const AMOUNT_BYTES = 8;

/** Weight limit for transactions that nodes relay (MAX_STANDARD_TX_WEIGHT; Bitcoin Core, policy/policy.h). */
export const STANDARD_WEIGHT_MAX = 400_000;

/**
 * Upper bound of a signed transaction's weight. An ECDSA signature may be a byte or two shorter; signers do not grind for short
 * ones.
 * @param inputs number of coins it spends
 * @param own the script of all these coins
 * @param paid the scripts of its outputs
 */
export const signedWeight = (inputs: number, own: Uint8Array, paid: readonly Uint8Array[]): number => {
  const witness = bitcoinScriptType(own) === "P2TR" ? P2TR_WITNESS_WEIGHT : P2WPKH_WITNESS_WEIGHT;
  const counts = compactSize(inputs).length + compactSize(paid.length).length;
  const outputs = paid.reduce(
    (sum, { length }) => sum + AMOUNT_BYTES + compactSize(length).length + length,
    counts,
  );
  return FRAME_WEIGHT + inputs * (INPUT_WEIGHT + witness) + outputs * WEIGHT_OF_BYTE;
};

/** `signedWeight` in virtual bytes. */
export const virtualSize = (inputs: number, own: Uint8Array, paid: readonly Uint8Array[]): bigint =>
  BigInt(Math.ceil(signedWeight(inputs, own, paid) / WEIGHT_OF_BYTE));
