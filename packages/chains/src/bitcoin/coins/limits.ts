import { SIGNABLES_MAX } from "@conclave/custody";
import { bitcoinScriptType } from "../rules/script.ts";

/**
 * Coins that one transaction of a P2WPKH wallet spends: each takes a presignature, and without a stock of them a quorum makes one
 * in a second or two. An authorisation lives 15 minutes, in which all of them must be signed.
 */
const P2WPKH_INPUTS_MAX = 256;

/** Coins that one transaction spends. @param own the script of all of them */
export const inputsMax = (own: Uint8Array): number =>
  bitcoinScriptType(own) === "P2TR" ? SIGNABLES_MAX : P2WPKH_INPUTS_MAX;

/** Unsigned bytes that the service writes, with their previous transactions: one gRPC message carries them to a signer. */
export const BUILT_BYTES_MAX: number = 512 * 1024;
