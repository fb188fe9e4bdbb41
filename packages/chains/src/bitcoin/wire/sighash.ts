import { schnorr } from "@noble/curves/secp256k1.js";
import { concatBytes } from "@noble/curves/utils.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { bitcoinScriptBody } from "../rules/script.ts";
import { doubleSha256, lengthAndBytes, uint32, uint64 } from "./bytes.ts";
import type { Psbt } from "./psbt.ts";
import { encodeOutpoint, encodeOutput } from "./transaction.ts";

/** Hash type that signs all inputs and all outputs. */
export const SIGHASH_ALL = 0x01;
/** The hash type for Taproot that signs all; its signature is a byte shorter (BIP-341). */
export const SIGHASH_DEFAULT = 0x00;

const EPOCH = 0x00;
/** Spend type of the key path without an annex. */
const SPEND_TYPE = 0x00;

const outpoints = ({ inputs }: Psbt): Uint8Array =>
  concatBytes(...inputs.map(({ outpoint }) => encodeOutpoint(outpoint)));
const sequences = ({ inputs }: Psbt): Uint8Array =>
  concatBytes(...inputs.map(({ sequence }) => uint32(sequence)));
const outputsOf = ({ outputs }: Psbt): Uint8Array => concatBytes(...outputs.map(encodeOutput));

/** The script code of a P2WPKH coin: a P2PKH script of the same hash (BIP-143). */
const scriptCode = (hash: Uint8Array): Uint8Array =>
  lengthAndBytes(concatBytes(Uint8Array.of(0x76, 0xa9, hash.length), hash, Uint8Array.of(0x88, 0xac)));

/**
 * The hashes that an ECDSA key signs, one for each input that spends a P2WPKH coin, with SIGHASH_ALL (BIP-143): 32 bytes each.
 * Each commits only to the amount of its own coin; therefore every coin must be proved by its previous transaction.
 */
export const segwitDigests = (psbt: Psbt): readonly Uint8Array[] => {
  const prevouts = doubleSha256(outpoints(psbt));
  const sequenced = doubleSha256(sequences(psbt));
  const outputs = doubleSha256(outputsOf(psbt));
  return psbt.inputs.map(({ outpoint, sequence, coin }) =>
    doubleSha256(
      concatBytes(
        uint32(psbt.version),
        prevouts,
        sequenced,
        encodeOutpoint(outpoint),
        scriptCode(bitcoinScriptBody(coin.script)),
        uint64(coin.amount),
        uint32(sequence),
        outputs,
        uint32(psbt.lockTime),
        uint32(SIGHASH_ALL),
      ),
    ),
  );
};

/**
 * The hashes that a Taproot key signs, one for each input spent by key path, with SIGHASH_DEFAULT (BIP-341): 32 bytes each.
 * Each commits to the coins of all inputs.
 */
export const taprootDigests = (psbt: Psbt): readonly Uint8Array[] => {
  const common = concatBytes(
    Uint8Array.of(EPOCH, SIGHASH_DEFAULT),
    uint32(psbt.version),
    uint32(psbt.lockTime),
    sha256(outpoints(psbt)),
    sha256(concatBytes(...psbt.inputs.map(({ coin }) => uint64(coin.amount)))),
    sha256(concatBytes(...psbt.inputs.map(({ coin }) => lengthAndBytes(coin.script)))),
    sha256(sequences(psbt)),
    sha256(outputsOf(psbt)),
    Uint8Array.of(SPEND_TYPE),
  );
  return psbt.inputs.map((_, at) => schnorr.utils.taggedHash("TapSighash", common, uint32(at)));
};
