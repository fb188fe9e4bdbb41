import { keyDigestOfShare } from "@conclave/threshold";
import type { KeyRecord } from "../records/record.ts";

/**
 * keyDigest of the key that a record holds a share of. Every run with a share binds it: a reader of the messages signed in the
 * run can then be shown which public shares its parties held, and needs to trust nobody for that. The share is not decoded for
 * it: this signer encoded it, its store authenticates it, and a run that uses the secret decodes it (compute/decoded.ts).
 */
export const infoDigest = (key: KeyRecord): Uint8Array => keyDigestOfShare(key.share.reveal());
