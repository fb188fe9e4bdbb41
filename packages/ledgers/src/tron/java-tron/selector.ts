import { keccak_256 } from "@noble/hashes/sha3.js";
import { concatBytes, hexToBytes, utf8ToBytes } from "@noble/hashes/utils.js";

const SELECTOR_BYTES = 4;

/**
 * The data of a call: a function's selector and its parameters.
 * @param selector such as "transfer(address,uint256)"
 * @param parameter ABI-encoded, in hex
 */
export const javaTronCallData = (selector: string, parameter: string): Uint8Array =>
  concatBytes(keccak_256(utf8ToBytes(selector)).subarray(0, SELECTOR_BYTES), hexToBytes(parameter));
