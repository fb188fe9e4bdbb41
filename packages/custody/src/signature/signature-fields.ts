import { hexadecimal, lowerHex } from "../chain-request/hexadecimal.ts";
import { shortText } from "../text.ts";

const EXTERNAL_ID_LENGTH = 50;
const NETWORK_LENGTH = 64;

/** Hexadecimal digits of at most `bytesMax` bytes, with or without 0x. */
export const exactHexadecimal = (bytesMax: number) =>
  hexadecimal(bytesMax).refine((text) => lowerHex(text).length <= 2 * bytesMax, {
    error: `is longer than ${bytesMax} bytes`,
  });

/** The optional fields of every request for a signature. */
export const signatureFields = {
  /** for a request on a key; a wallet has a network of its own */
  network: shortText(NETWORK_LENGTH).optional(),
  blockchainKind: shortText(NETWORK_LENGTH).optional(),
  externalId: shortText(EXTERNAL_ID_LENGTH).optional(),
};
