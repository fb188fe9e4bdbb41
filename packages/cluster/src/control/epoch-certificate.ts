import {
  type Codec,
  countedList,
  decode,
  encode,
  fixedBytes,
  type IdentityRoster,
  PARTIES_MAX,
  type PartyIndex,
  partyCodec,
  struct,
  text,
  uint,
  verifyEd25519,
} from "@conclave/threshold";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import { clusterOf } from "./cluster-name.ts";
import { type EpochHandover, handoverCodec, isHandoverOf } from "./epoch-handover.ts";
import { keyHolders, type RosterMember } from "./roster-member.ts";

type Roster = ReadonlyMap<PartyIndex, RosterMember>;

/** The signers that hold new epochs of a subject, ascending: for auxiliary info all, for keys those that do not leave. */
export const certifiersOf = (roster: Roster, subject: string): readonly PartyIndex[] =>
  subject === AUXILIARY_SUBJECT ? [...roster.keys()].sort((a, b) => a - b) : keyHolders(roster);

/** The subject of auxiliary information, where a key's subject is its id; no key has this id. */
export const AUXILIARY_SUBJECT = "auxiliary";

/** One step of a key, or of the auxiliary information, to a new epoch, as its signers made it in one session. */
export interface EpochTransition {
  /** a key's id, or AUXILIARY_SUBJECT */
  readonly subject: string;
  /** the epoch before; 0 where there was none */
  readonly from: number;
  /** the new epoch, above `from` */
  readonly to: number;
  /** digest of all public data of the new epoch, 32 bytes: equal on all signers */
  readonly digest: Uint8Array;
  /** id of the session that made it, as its signers received it, 32 bytes */
  readonly session: Uint8Array;
  /** the signers that hold the new epoch, ascending, as each receipt names them; absent for the whole roster */
  readonly holders?: readonly PartyIndex[] | undefined;
}

/**
 * The receipts of every signer that will hold the new epoch, for one transition. A signer that has verified it knows
 * that all hold the new epoch durably, so that it may delete the old one. A certificate stays valid for ever.
 */
export interface EpochCertificate extends EpochTransition {
  readonly holders: readonly PartyIndex[];
  /** one receipt of each holder, ascending */
  readonly receipts: readonly { readonly signer: PartyIndex; readonly signature: Uint8Array }[];
  /**
   * handovers of earlier holders, ascending: where the holders change, the new ones wait for some of these
   * (`handoversFrom`)
   */
  readonly handovers: readonly EpochHandover[];
}

/** The certificate's receipts without its list of holders, which each receipt names. */
type Receipted = Omit<EpochCertificate, "holders" | "handovers">;

const EPOCH_MAX = 2 ** 32 - 1;
const SUBJECT_BYTES_MAX = 128;
const DIGEST_BYTES = 32;
const SIGNATURE_BYTES = 64;
/** Limit of a certificate: the transition, and a receipt and a handover of each of 64 signers. */
export const CERTIFICATE_BYTES_MAX: number = 256 * 1024;

const receipted = {
  subject: text(SUBJECT_BYTES_MAX),
  from: uint(4),
  to: uint(4),
  digest: fixedBytes(DIGEST_BYTES),
  session: fixedBytes(DIGEST_BYTES),
  receipts: countedList(
    struct<EpochCertificate["receipts"][number]>({
      signer: partyCodec,
      signature: fixedBytes(SIGNATURE_BYTES),
    }),
    PARTIES_MAX,
  ),
};

/** The format of earlier versions, which had no handovers. */
const receiptedCodec: Codec<Receipted> = struct<Receipted>(receipted);

type SentCertificate = Omit<EpochCertificate, "holders">;

const certificateCodec: Codec<SentCertificate> = struct<SentCertificate>({
  ...receipted,
  handovers: countedList(handoverCodec, PARTIES_MAX),
});

const decodeCertificate = (bytes: Uint8Array): SentCertificate | undefined => {
  const alone = decode(receiptedCodec, bytes);
  if (alone.ok) return { ...alone.value, handovers: [] };
  const whole = decode(certificateCodec, bytes);
  return whole.ok && whole.value.handovers.length > 0 ? whole.value : undefined;
};

/**
 * The bytes that a signer's identity key signs when its part of a new epoch is durable: JSON text, as in
 * `attestationBytes`. A signature on one is never valid for the other, or for an envelope between signers.
 */
export const receiptBytes = (
  roster: IdentityRoster,
  signer: PartyIndex,
  { subject, from, to, digest, session, holders }: EpochTransition,
): Uint8Array =>
  utf8ToBytes(
    JSON.stringify({
      kind: "conclave/v1/epoch-receipt",
      cluster: clusterOf(roster),
      signer,
      subject,
      from,
      to,
      digest: bytesToHex(digest),
      session: bytesToHex(session),
      // earlier versions, in which the whole roster held every epoch, wrote no holders
      ...(isWhole(roster, holders) ? {} : { holders }),
    }),
  );

const isWhole = (roster: IdentityRoster, holders: EpochTransition["holders"]): boolean =>
  holders === undefined || (holders.length === roster.size && holders.every((party) => roster.has(party)));

/** Whether a signer of the roster signed the receipt. */
export const isReceiptOf = (
  roster: IdentityRoster,
  signer: PartyIndex,
  transition: EpochTransition,
  signature: Uint8Array,
): boolean => {
  const identity = roster.get(signer)?.identity;
  const { from, to, digest, session } = transition;
  const isSound =
    [from, to].every((epoch) => Number.isInteger(epoch) && epoch >= 0 && epoch <= EPOCH_MAX) &&
    [digest, session].every((bytes) => bytes.length === DIGEST_BYTES);
  if (!isSound || identity === undefined) return false;
  return verifyEd25519(signature, receiptBytes(roster, signer, transition), identity);
};

/** The encoded certificate of a transition; undefined unless every signer that will hold the epoch gave its receipt. */
export const certify = (
  roster: Roster,
  { subject, from, to, digest, session, holders }: EpochTransition,
  receipts: ReadonlyMap<PartyIndex, Uint8Array>,
): Uint8Array | undefined => {
  const transition = { subject, from, to, digest, session, holders };
  const needed = holders ?? [...roster.keys()].sort((a, b) => a - b);
  const given = needed.flatMap((signer) => {
    const signature = receipts.get(signer);
    return signature !== undefined && isReceiptOf(roster, signer, transition, signature)
      ? [{ signer, signature }]
      : [];
  });
  return given.length === needed.length
    ? encode(receiptedCodec, { subject, from, to, digest, session, receipts: given })
    : undefined;
};

/**
 * An encoded certificate with these handovers in place of its own.
 *
 * @param certificate as `certify` or this function wrote it
 * @param handovers by the signer that gave it; signers reject a certificate with an unsigned one
 * @throws when the certificate does not decode
 */
export const withHandovers = (
  certificate: Uint8Array,
  handovers: ReadonlyMap<PartyIndex, EpochHandover>,
): Uint8Array => {
  const decoded = decodeCertificate(certificate);
  if (decoded === undefined) throw new Error("a certificate of ours does not decode");
  const given = [...handovers.values()].sort((one, other) => one.signer - other.signer);
  return given.length === 0
    ? encode(receiptedCodec, decoded)
    : encode(certificateCodec, { ...decoded, handovers: given });
};

/** A certificate that verifies, with the identity keys that verify it: today's, or those before a renewal. */
export interface VerifiedCertificate extends EpochCertificate {
  readonly by: IdentityRoster;
}

/** Earlier identities and other holders by which a certificate may also verify. */
export interface KnownOfCertificates {
  /** the identities of the cluster at earlier times, the latest first; new messages signed by them are not accepted */
  readonly past?: readonly IdentityRoster[] | undefined;
  /** other sets of holders that are accepted for a subject: those of attempts whose new share this signer holds */
  readonly holdersOf?: (subject: string) => readonly (readonly PartyIndex[])[];
}

/**
 * Decodes and verifies a certificate. It is valid only if exactly the signers that hold the epoch gave their receipts,
 * in order, all for the same transition, by the identities that they had at one time. These signers are the whole
 * roster of that time, the holders of new epochs, or other holders that the caller knows. Each handover in it is of
 * another signer, by its identity of that time or of today.
 *
 * @returns undefined when it is malformed, oversized, of another cluster, or not signed by all
 */
export const readCertificate = (
  roster: Roster,
  bytes: Uint8Array,
  known: KnownOfCertificates = {},
): VerifiedCertificate | undefined => {
  if (bytes.length > CERTIFICATE_BYTES_MAX) return undefined;
  const value = decodeCertificate(bytes);
  if (value === undefined || value.from >= value.to) return undefined;
  const holders = value.receipts.map(({ signer }) => signer);
  const certificate = { ...value, holders };
  const believed = [certifiersOf(roster, value.subject), ...(known.holdersOf?.(value.subject) ?? [])];
  const by = [roster, ...(known.past ?? [])].find((then) => {
    const all = [...then.keys()].sort((a, b) => a - b);
    const isBelieved = [all, ...believed].some((set) => String(set) === String(holders));
    return isBelieved && areReceiptsOfAll(then, certificate);
  });
  return by && areHandoversSound([by, roster], certificate) ? { ...certificate, by } : undefined;
};

const areHandoversSound = (
  identities: readonly IdentityRoster[],
  { handovers, ...transition }: EpochCertificate,
): boolean =>
  handovers.every(
    (handover, at) =>
      (handovers[at - 1]?.signer ?? 0) < handover.signer &&
      identities.some((then) => isHandoverOf(then, transition, handover)),
  );

const areReceiptsOfAll = (identities: IdentityRoster, certificate: EpochCertificate): boolean =>
  certificate.receipts.every(({ signer, signature }) =>
    isReceiptOf(identities, signer, certificate, signature),
  );
