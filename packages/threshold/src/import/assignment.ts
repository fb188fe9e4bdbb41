import { equalBytes } from "@noble/curves/utils.js";
import type { PartyIndex } from "../fault.ts";
import { decodeBase64 } from "./base64.ts";

/** A signer, by the id that import clients use. */
export interface ImportSigner {
  readonly party: PartyIndex;
  /** the decoded signer id, 1 to 64 bytes */
  readonly signerId: Uint8Array;
}

/** The index, 1 … n, at which a client evaluates its polynomial for each party. Ascending by party. */
export type ImportAssignment = ReadonlyMap<PartyIndex, number>;

const SIGNER_ID_BYTES_MAX = 64;

const compareBytes = (a: Uint8Array, b: Uint8Array): number => {
  for (const [at, byte] of a.entries()) {
    const other = b[at];
    if (other === undefined) return 1;
    if (byte !== other) return byte - other;
  }
  return a.length - b.length;
};

/**
 * The position of each signer in an import (wire interface, C.3): clients sort signers by the raw bytes of
 * their ids and give the j-th, from 0, the value of the polynomial at j + 1. The position is not the party's
 * index, and no envelope contains it.
 *
 * @throws RangeError when two signers of our own roster share an id, or an id has a wrong length
 */
export const assignPositions = (signers: readonly ImportSigner[]): ImportAssignment => {
  const sorted = [...signers].sort((a, b) => compareBytes(a.signerId, b.signerId));
  for (const [at, { signerId }] of sorted.entries()) {
    const previous = sorted[at - 1]?.signerId;
    if (previous !== undefined && equalBytes(previous, signerId))
      throw new RangeError("two equal signer ids");
    if (signerId.length === 0 || signerId.length > SIGNER_ID_BYTES_MAX) {
      throw new RangeError(`a signer id has 1 to ${SIGNER_ID_BYTES_MAX} bytes`);
    }
  }
  const positions = sorted.map(({ party }, at) => [party, at + 1] as const);
  return new Map(positions.sort(([a], [b]) => a - b));
};

/** One entry of a request, as received. */
export interface ImportEntry {
  /** base64 of the signer's id */
  readonly signerId: string;
  /** base64 of the envelope */
  readonly encryptedKeyShare: string;
}

/** The reason why the entries of a request do not match the signers. */
export type EntriesRefusal =
  | { readonly code: "SignerIdMalformed" | "SignerUnknown" | "SignerRepeated"; readonly signerId: string }
  | { readonly code: "SignerMissing"; readonly party: PartyIndex };

type MatchedEntries =
  | { readonly ok: true; readonly entries: ReadonlyMap<PartyIndex, ImportEntry> }
  | { readonly ok: false; readonly refusal: EntriesRefusal };

/**
 * Matches the entries to the signers, in any order.
 *
 * @returns the entries by party, ascending; or the first malformed, unknown or repeated id, or a missing
 * signer
 */
export const matchEntries = (
  signers: readonly ImportSigner[],
  entries: readonly ImportEntry[],
): MatchedEntries => {
  const refuse = (refusal: EntriesRefusal): MatchedEntries => ({ ok: false, refusal });
  const found = new Map<PartyIndex, ImportEntry>();
  // A surplus entry is unknown or repeated, so one entry more than there are signers is enough to read (P13).
  for (const entry of entries.slice(0, signers.length + 1)) {
    const { signerId } = entry;
    const bytes = decodeBase64(signerId, SIGNER_ID_BYTES_MAX);
    if (bytes === undefined) return refuse({ code: "SignerIdMalformed", signerId });
    const signer = signers.find((known) => equalBytes(known.signerId, bytes));
    if (signer === undefined) return refuse({ code: "SignerUnknown", signerId });
    if (found.has(signer.party)) return refuse({ code: "SignerRepeated", signerId });
    found.set(signer.party, entry);
  }
  const missing = signers.find(({ party }) => !found.has(party));
  if (missing !== undefined) return refuse({ code: "SignerMissing", party: missing.party });
  return { ok: true, entries: new Map([...found].sort(([a], [b]) => a - b)) };
};
