import { type Curve, type GroupPoint, multiplyGenerator } from "../curve.ts";
import type { PartyIndex } from "../fault.ts";
import type { Secret } from "../secret.ts";
import { interpolatePoint, isOfDegreeBelow } from "../sharing/lagrange.ts";
import type { ImportAssignment } from "./assignment.ts";
import { openImportEnvelope } from "./envelope.ts";
import { type ImportedShare, type ParsedShare, parseImportPlaintext } from "./plaintext.ts";
import type { EntryField, EntryFlawCode } from "./refusal.ts";

/** The parameters that our own entry must fit. */
interface EntryTerms<P extends GroupPoint<P>> {
  readonly self: PartyIndex;
  readonly curve: Curve<P>;
  /** t */
  readonly threshold: number;
  readonly assignment: ImportAssignment;
}

const checkShare = <P extends GroupPoint<P>>(
  { self, curve, threshold, assignment }: EntryTerms<P>,
  share: ImportedShare<P>,
): ParsedShare<P> => {
  const refuse = (code: EntryFlawCode, field: EntryField): ParsedShare<P> => ({
    ok: false,
    flaw: { code, field },
  });
  const { secretShare, publicShares } = share;
  const points = new Map(publicShares.map((point, at) => [at + 1, point]));
  const own = points.get(assignment.get(self) ?? 0);
  if (own === undefined) throw new RangeError("we have no place in this import");
  if (!own.equals(multiplyGenerator(curve, secretShare.reveal()))) {
    return refuse("ShareMismatch", "secret_share");
  }
  if (!isOfDegreeBelow(curve, points, threshold)) return refuse("DegreeTooHigh", "public_shares");
  const isIdentity = interpolatePoint(curve, new Map([...points].slice(0, threshold)), 0).is0();
  return isIdentity ? refuse("KeyIsIdentity", "public_shares") : { ok: true, share };
};

/**
 * Opens, parses and checks our own entry of an import: the part of P23 that one signer can check alone (wire
 * interface, C.7, points 2, 3 and 5).
 *
 * @param envelope the bytes of our entry, untrusted
 * @param decryptionKey our own, 32 bytes, big-endian
 * @returns the share; or its flaw, which startImport states to all signers, so that all end in the same
 * refusal
 */
export const readOwnEntry = <P extends GroupPoint<P>>(
  terms: EntryTerms<P>,
  envelope: Uint8Array,
  decryptionKey: Secret<Uint8Array>,
): ParsedShare<P> => {
  const opened = openImportEnvelope(envelope, decryptionKey);
  if (!opened.ok) return { ok: false, flaw: { code: "EnvelopeUnreadable", field: "encryptedKeyShare" } };
  const parsed = parseImportPlaintext(terms.curve, terms.assignment.size, opened.value);
  return parsed.ok ? checkShare(terms, parsed.share) : parsed;
};
