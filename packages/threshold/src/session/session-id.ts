import type { CurveName } from "../curve.ts";
import type { PartyIndex } from "../fault.ts";
import { hashFields } from "../transcript.ts";
import type { SessionId } from "./envelope.ts";

/** The fields that together are unique to one run of a protocol (reference: CGGMP24's sid; P11). */
export interface SessionFields {
  /** unique to this attempt: at least 16 bytes of randomness or of a request's hash, never reused */
  readonly execution: Uint8Array;
  /** such as "keygen", "auxiliary", "presign" */
  readonly protocol: string;
  /** empty when the run is not about one key */
  readonly keyId: string;
  readonly epoch: number;
  /** the parties with their Ed25519 identity keys, in any order */
  readonly parties: readonly { readonly index: PartyIndex; readonly identity: Uint8Array }[];
  /** t: the number of parties that sign together */
  readonly threshold: number;
  /** n: the number of parties that hold the key */
  readonly total: number;
  readonly curve: CurveName;
}

/**
 * The session id of a run, 32 bytes (CGGMP24's sid): two ids are equal only when every field is equal (P11).
 * Every party computes it, and none can choose it.
 */
export const sessionId = (fields: SessionFields): SessionId => {
  const { execution, protocol, keyId, epoch, threshold, total, curve } = fields;
  const parties = [...fields.parties]
    .sort((a, b) => a.index - b.index)
    .map(({ index, identity }) => [index, identity]);
  return hashFields("session", [execution, protocol, keyId, epoch, parties, threshold, total, curve]);
};
