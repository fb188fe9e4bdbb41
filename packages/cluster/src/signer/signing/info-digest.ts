import { keyDigestOfShare } from "@conclave/threshold";
import type { KeyRecord } from "../records/record.ts";

/**
 * keyDigest of the key that a record holds a share of. Every run with a share binds it: whoever sees what was signed in the
 * run can then be shown which public shares its parties held, and needs to trust nobody for that. The share's points are not
 * parsed for it: they were when the share was stored, and are again where it signs (compute/decoded.ts).
 */
export const infoDigest = (key: KeyRecord): Uint8Array => keyDigestOfShare(key.share.reveal());
