import { bitcoinScriptType } from "@conclave/custody";

/** Each byte outside a witness counts four times (BIP-141). */
const WEIGHT_OF_BYTE = 4;
/** version, marker and flag (a quarter each), one byte for each count, lock time */
const FRAME_WEIGHT = (4 + 1 + 1 + 4) * WEIGHT_OF_BYTE + 2;
/** outpoint, empty script, sequence */
const INPUT_WEIGHT = (36 + 1 + 4) * WEIGHT_OF_BYTE;
/** a count, a signature in DER of at most 71 bytes with its hash type, a key of 33 bytes, and their lengths */
const P2WPKH_WITNESS_WEIGHT = 1 + 1 + 72 + 1 + 33;
/** a count, and a signature of 64 bytes with its length */
const P2TR_WITNESS_WEIGHT = 1 + 1 + 64;
/** amount, and the script's length */
const OUTPUT_FRAME_BYTES = 8 + 1;

/**
 * The most virtual bytes that a transaction takes once it is signed. A signature may be a byte or two shorter than that: no
 * quorum looks for short ones.
 * @param inputs how many coins it spends
 * @param own the script of all these coins
 * @param paid the scripts of its outputs, at most 252
 */
export const virtualSize = (inputs: number, own: Uint8Array, paid: readonly Uint8Array[]): bigint => {
  const witness = bitcoinScriptType(own) === "P2TR" ? P2TR_WITNESS_WEIGHT : P2WPKH_WITNESS_WEIGHT;
  const outputs = paid.reduce((sum, script) => sum + OUTPUT_FRAME_BYTES + script.length, 0);
  const weight = FRAME_WEIGHT + inputs * (INPUT_WEIGHT + witness) + outputs * WEIGHT_OF_BYTE;
  return BigInt(Math.ceil(weight / WEIGHT_OF_BYTE));
};
