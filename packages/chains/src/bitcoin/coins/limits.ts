import { SIGNABLES_MAX } from "@conclave/custody";
import { bitcoinScriptType } from "../rules/script.ts";

/**
 * Most coins that one transaction of a P2WPKH wallet spends. Each needs a presignature; if none is in stock, a quorum makes one
 * in a second or two. All must be signed within the 15 minutes that an authorisation is valid.
 */
const P2WPKH_INPUTS_MAX = 256;

/** Most coins that one transaction spends. @param own the script of all of them */
export const inputsMax = (own: Uint8Array): number =>
  bitcoinScriptType(own) === "P2TR" ? SIGNABLES_MAX : P2WPKH_INPUTS_MAX;

/** Most unsigned bytes that the service writes, with their previous transactions: one gRPC message carries them to a signer. */
export const BUILT_BYTES_MAX: number = 512 * 1024;
