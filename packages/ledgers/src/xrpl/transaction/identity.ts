import { concatBytes } from "@noble/hashes/utils.js";
import { encodeRippledFields } from "../binary/encode.ts";
import type { RippledFields } from "../binary/value.ts";
import { rippledDigest, rippledHashPrefix, rippledHex } from "../digest.ts";

const SIGNED_WITHOUT = "TxnSignature";

/** The bytes of a single signature: the prefix "STX", and the fields without the signature. */
export const rippledBytesToSign = (fields: RippledFields): Uint8Array =>
  concatBytes(
    rippledHashPrefix("STX"),
    encodeRippledFields(new Map([...fields].filter(([name]) => name !== SIGNED_WITHOUT))),
  );

/** The id of a transaction: the digest of all of its bytes, signature included. */
export const rippledTransactionHash = (blob: Uint8Array): string =>
  rippledHex(rippledDigest(rippledHashPrefix("TXN"), blob));
