import { infoOfShare } from "../key-change/public-info.ts";
import type { KeyRecord } from "../records/record.ts";

/** Decoding a share costs milliseconds, and the online round must not wait for it: each record is decoded once. */
const known = new WeakMap<KeyRecord, Uint8Array>();

/**
 * keyDigest of the key that a record holds a share of. Every run with a share binds it: whoever sees what was signed in the
 * run can then be shown which public shares its parties held, and needs to trust nobody for that.
 */
export const infoDigest = (key: KeyRecord): Uint8Array => {
  const digest = known.get(key) ?? infoOfShare(key.scheme, key.share).digest;
  known.set(key, digest);
  return digest;
};
