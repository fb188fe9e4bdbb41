import { concatBytes } from "@noble/hashes/utils.js";
import { base32nopad } from "@scure/base";

/** The kinds of strkey (SEP-23), with their version bytes. */
const VERSIONS = { account: 6 << 3, muxed: 12 << 3, contract: 2 << 3 } as const;
export type StrkeyKind = keyof typeof VERSIONS;

const PAYLOAD_BYTES: Readonly<Record<StrkeyKind, number>> = { account: 32, muxed: 40, contract: 32 };
const CHECKSUM_BYTES = 2;
const POLYNOMIAL = 0x1021;

/** CRC16-XModem, which SEP-23 writes little-endian. */
const checksumOf = (bytes: Uint8Array): Uint8Array => {
  let crc = 0;
  for (const byte of bytes) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit += 1) {
      crc = (crc & 0x8000) === 0 ? crc << 1 : (crc << 1) ^ POLYNOMIAL;
      crc &= 0xffff;
    }
  }
  return Uint8Array.of(crc & 0xff, crc >> 8);
};

/**
 * Writes a strkey (SEP-23): base32 without padding of version byte, payload and checksum.
 * @throws RangeError when the payload's length does not fit its kind
 */
export const encodeStrkey = (kind: StrkeyKind, payload: Uint8Array): string => {
  if (payload.length !== PAYLOAD_BYTES[kind]) {
    throw new RangeError(`a strkey of this kind holds ${PAYLOAD_BYTES[kind]} bytes`);
  }
  const body = concatBytes(Uint8Array.of(VERSIONS[kind]), payload);
  return base32nopad.encode(concatBytes(body, checksumOf(body)));
};

/** A decoded strkey. */
export type DecodedStrkey =
  | { readonly kind: StrkeyKind; readonly payload: Uint8Array }
  /** no strkey, or one that names no receiver, such as a secret seed */
  | { readonly kind: "invalid" }
  /** the form of a strkey, with a wrong checksum */
  | { readonly kind: "checksum" };

const INVALID: DecodedStrkey = { kind: "invalid" };

/** Refuses base32 whose unused last bits are not zero: it would be a second spelling. */
const bytesOf = (text: string): Uint8Array | undefined => {
  try {
    return base32nopad.decode(text);
  } catch {
    return undefined;
  }
};

const kindOf = (first: string): StrkeyKind | undefined => {
  switch (first) {
    case "G":
      return "account";
    case "M":
      return "muxed";
    case "C":
      return "contract";
    default:
      return undefined;
  }
};

/** Characters of the longest strkey that is read, a muxed account's. */
const LENGTH_MAX = 69;

/** Reads a strkey strictly: each has one spelling. */
export const decodeStrkey = (text: string): DecodedStrkey => {
  const kind = kindOf(text.slice(0, 1));
  const bytes = kind !== undefined && text.length <= LENGTH_MAX ? bytesOf(text) : undefined;
  if (kind === undefined || bytes === undefined) return INVALID;
  if (bytes.length !== 1 + PAYLOAD_BYTES[kind] + CHECKSUM_BYTES || bytes[0] !== VERSIONS[kind])
    return INVALID;
  const payload = bytes.slice(1, -CHECKSUM_BYTES);
  return encodeStrkey(kind, payload) === text ? { kind, payload } : { kind: "checksum" };
};
