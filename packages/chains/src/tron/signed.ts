import { concatBytes } from "@noble/curves/utils.js";
import { readProtobuf } from "./protobuf/read.ts";
import { bytesField } from "./protobuf/write.ts";

const RAW_DATA = 1;
const SIGNATURE = 2;

/**
 * Encodes a signed transaction as nodes accept it: the message Transaction.
 * @param signature 65 bytes: r, s, and 27 or 28
 */
export const signedTron = (unsigned: Uint8Array, signature: Uint8Array): Uint8Array =>
  concatBytes(bytesField(RAW_DATA, unsigned), bytesField(SIGNATURE, signature));

/** The bytes of raw_data in a transaction that `signedTron` wrote. @throws TypeError for anything else */
export const rawDataIn = (signed: Uint8Array): Uint8Array => {
  const rawData = readProtobuf(signed)?.get(RAW_DATA);
  if (!(rawData instanceof Uint8Array)) throw new TypeError("a transaction is not signed");
  return rawData;
};
