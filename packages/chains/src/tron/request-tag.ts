import { bytesToNumberBE } from "@noble/curves/utils.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { utf8ToBytes } from "@noble/hashes/utils.js";

const DOMAIN = "conclave tron tag ";

/** Milliseconds that are a tag's, in bits: some four and a half hours of a timestamp, and a minute of an expiration. */
const TIMESTAMP_BITS = 24n;
const EXPIRATION_BITS = 16n;
const TIMESTAMP_SPAN = 2n ** TIMESTAMP_BITS;
const EXPIRATION_SPAN = 2n ** EXPIRATION_BITS;

/** The tag that distinguishes the transactions of a request from those of every other one. */
export interface RequestTag {
  /** the low 24 bits of the timestamp */
  readonly timestamp: bigint;
  /** the low 16 bits of the expiration */
  readonly expiration: bigint;
}

/**
 * The tag of all transactions of a request. Nodes look at no timestamp, and two equal transfers that refer to one block would be
 * the same bytes, and one transaction for two requests (INV-4). With 40 bits two of them meet once in 10^12 pairs, and only if they
 * are of the same few hours, minute and block.
 */
export const tronTagOf = (requestId: string): RequestTag => {
  const hash = bytesToNumberBE(sha256(utf8ToBytes(`${DOMAIN}${requestId}`)));
  return { timestamp: hash % TIMESTAMP_SPAN, expiration: (hash / TIMESTAMP_SPAN) % EXPIRATION_SPAN };
};

/** Two times near those wanted, which hold a tag. All of it in Unix milliseconds. */
export const taggedTimes = (
  tag: RequestTag,
  wanted: { readonly timestampMs: bigint; readonly expirationMs: bigint },
): { readonly timestampMs: bigint; readonly expirationMs: bigint } => ({
  timestampMs: wanted.timestampMs - (wanted.timestampMs % TIMESTAMP_SPAN) + tag.timestamp,
  expirationMs: wanted.expirationMs - (wanted.expirationMs % EXPIRATION_SPAN) + tag.expiration,
});

/** The tag that two times hold. */
export const tagIn = (times: {
  readonly timestampMs: bigint;
  readonly expirationMs: bigint;
}): RequestTag => ({
  timestamp: times.timestampMs % TIMESTAMP_SPAN,
  expiration: times.expirationMs % EXPIRATION_SPAN,
});

/** The latest time that a timestamp with a tag may stand for. */
export const latestOf = (timestampMs: bigint): bigint =>
  timestampMs - (timestampMs % TIMESTAMP_SPAN) + TIMESTAMP_SPAN;
