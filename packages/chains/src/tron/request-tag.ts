import { bytesToNumberBE } from "@noble/curves/utils.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { utf8ToBytes } from "@noble/hashes/utils.js";

const DOMAIN = "conclave tron tag ";

/**
 * Bits of each time, in milliseconds, that hold the tag: about four and a half hours of a timestamp, and a minute of an
 * expiration.
 */
const TIMESTAMP_BITS = 24n;
const EXPIRATION_BITS = 16n;
const TIMESTAMP_SPAN = 2n ** TIMESTAMP_BITS;
const EXPIRATION_SPAN = 2n ** EXPIRATION_BITS;

/** The tag that distinguishes a request's transactions from those of every other request. */
export interface RequestTag {
  /** the low 24 bits of the timestamp */
  readonly timestamp: bigint;
  /** the low 16 bits of the expiration */
  readonly expiration: bigint;
}

/**
 * The tag in all transactions of a request. Nodes ignore timestamps; without a tag, two equal transfers that refer to one block
 * could have the same bytes, and land once for two requests (INV-4). With 40 bits, one in 10^12 pairs of requests shares a tag;
 * a collision also needs the same hours, minute and block.
 */
export const tronTagOf = (requestId: string): RequestTag => {
  const hash = bytesToNumberBE(sha256(utf8ToBytes(`${DOMAIN}${requestId}`)));
  return { timestamp: hash % TIMESTAMP_SPAN, expiration: (hash / TIMESTAMP_SPAN) % EXPIRATION_SPAN };
};

/** Two times with the tag, near the wanted ones. All are Unix milliseconds. */
export const taggedTimes = (
  tag: RequestTag,
  wanted: { readonly timestampMs: bigint; readonly expirationMs: bigint },
): { readonly timestampMs: bigint; readonly expirationMs: bigint } => ({
  timestampMs: wanted.timestampMs - (wanted.timestampMs % TIMESTAMP_SPAN) + tag.timestamp,
  expirationMs: wanted.expirationMs - (wanted.expirationMs % EXPIRATION_SPAN) + tag.expiration,
});

/** The tag in two times. */
export const tagIn = (times: {
  readonly timestampMs: bigint;
  readonly expirationMs: bigint;
}): RequestTag => ({
  timestamp: times.timestampMs % TIMESTAMP_SPAN,
  expiration: times.expirationMs % EXPIRATION_SPAN,
});

/** Upper bound of the wanted time behind a tagged timestamp. */
export const latestOf = (timestampMs: bigint): bigint =>
  timestampMs - (timestampMs % TIMESTAMP_SPAN) + TIMESTAMP_SPAN;
