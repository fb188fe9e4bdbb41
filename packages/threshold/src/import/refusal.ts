import { boolean, type Codec, convert, countedList, fixedBytes, struct, uint } from "../codec.ts";
import { PARTIES_MAX, type PartyIndex, partyCodec } from "../fault.ts";

const FLAWS = [
  /** the envelope does not decrypt under the signer's key */
  "EnvelopeUnreadable",
  /** the content violates the format: JSON, names, lengths, ranges, points */
  "Malformed",
  "VersionUnsupported",
  /** the curve is not the request's */
  "CurveMismatch",
  /** the number of public shares is not the number of signers */
  "CountMismatch",
  /** the secret share does not belong to the public share at the signer's position */
  "ShareMismatch",
  /** the public shares need more signers than the threshold */
  "DegreeTooHigh",
  /** the public key is the identity */
  "KeyIsIdentity",
] as const;

const FIELDS = ["encryptedKeyShare", "version", "secret_share", "public_shares", "chain_code"] as const;

/** A flaw of an entry; FLAWS explains each code. */
export type EntryFlawCode = (typeof FLAWS)[number];
/** The field of an entry that has the flaw, as the wire names it. */
export type EntryField = (typeof FIELDS)[number];

/**
 * The reason why one signer's entry of an import is refused, which only that signer can find. It contains no
 * secret.
 */
export interface EntryFlaw {
  readonly code: EntryFlawCode;
  /** as the wire format names it */
  readonly field: EntryField;
}

const flawOf = (code: EntryFlawCode | undefined, field: EntryField | undefined): EntryFlaw | undefined =>
  code === undefined || field === undefined ? undefined : { code, field };

export const entryFlawCodec: Codec<EntryFlaw> = convert(
  struct<{ readonly code: number; readonly field: number }>({ code: uint(1), field: uint(1) }),
  ({ code, field }) => flawOf(FLAWS[code], FIELDS[field]),
  ({ code, field }) => ({ code: FLAWS.indexOf(code), field: FIELDS.indexOf(field) }),
  "not a flaw of an entry",
);

/** The fields that must be the same for all signers; the terms are all parameters that are not in the envelopes. */
export const AGREED_FIELDS = ["terms", "public_shares", "chain_code"] as const;
/** A field that must be the same for all signers. */
export type AgreedField = (typeof AGREED_FIELDS)[number];

/** One of several versions of a field, and the signers that received it. */
export interface AgreedView {
  readonly digest: Uint8Array;
  /** ascending */
  readonly signers: readonly PartyIndex[];
}

/**
 * The reason why an import ends without a key, the same at every honest signer. It blames no signer: the
 * client made the flaw, or a signer states a flaw falsely. Nobody can show which of the two, because the
 * plaintext of an entry is secret: a cheating signer can veto an import, visibly as itself, and gains
 * nothing.
 */
export type ImportRefusal =
  | { readonly kind: "entry"; readonly signer: PartyIndex; readonly flaw: EntryFlaw }
  | { readonly kind: "difference"; readonly field: AgreedField; readonly views: readonly AgreedView[] };

const entryCodec = struct<{ readonly signer: PartyIndex; readonly flaw: EntryFlaw }>({
  signer: partyCodec,
  flaw: entryFlawCodec,
});

const differenceCodec = struct<{ readonly field: AgreedField; readonly views: readonly AgreedView[] }>({
  field: convert(
    uint(1),
    (index) => AGREED_FIELDS[index],
    (field) => AGREED_FIELDS.indexOf(field),
    "not a field that is agreed upon",
  ),
  views: countedList(
    struct<AgreedView>({ digest: fixedBytes(32), signers: countedList(partyCodec, PARTIES_MAX) }),
    PARTIES_MAX,
  ),
});

/** Encodes a refusal, for callers that forward it; no peer sends one. */
export const importRefusalCodec: Codec<ImportRefusal> = {
  write: (sink, refusal) => {
    boolean.write(sink, refusal.kind === "entry");
    if (refusal.kind === "entry") entryCodec.write(sink, refusal);
    else differenceCodec.write(sink, refusal);
  },
  read: (source) =>
    source.part("isEntry", boolean)
      ? { kind: "entry", ...entryCodec.read(source) }
      : { kind: "difference", ...differenceCodec.read(source) },
};
