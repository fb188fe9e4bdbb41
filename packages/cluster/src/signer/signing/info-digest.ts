import { keyDigestOfShare } from "@conclave/threshold";
import type { KeyRecord } from "../records/record.ts";

/**
 * keyDigest of the key of a stored share. Every run with a share binds it, so that anybody who verifies messages of the
 * run knows the public shares of its parties without trusting anyone. The share is not decoded here: this signer
 * encoded it, its store authenticates it, and a run that uses the secret decodes it (compute/decoded.ts).
 */
export const infoDigest = (key: KeyRecord): Uint8Array => keyDigestOfShare(key.share.reveal());
