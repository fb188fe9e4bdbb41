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

/** The signers that hold what is made now of a subject, ascending. */
export const certifiersOf = (roster: Roster, subject: string): readonly PartyIndex[] =>
  subject === AUXILIARY_SUBJECT ? [...roster.keys()].sort((a, b) => a - b) : keyHolders(roster);

/** The name of the auxiliary information where a key is named by its id; no key has this id. */
export const AUXILIARY_SUBJECT = "auxiliary";

/** One step of a key, or of the auxiliary information, to a new epoch, as all signers made it in one session. */
export interface EpochTransition {
  /** a key's id, or AUXILIARY_SUBJECT */
  readonly subject: string;
  /** the epoch that it started from; 0 where there was none */
  readonly from: number;
  /** the new one, above it */
  readonly to: number;
  /** of all that is public of the new epoch, 32 bytes: the same on every signer */
  readonly digest: Uint8Array;
  /** the session that made it, as it was given, 32 bytes */
  readonly session: Uint8Array;
  /** the signers that it gave a part, ascending, as each receipt names them; left out for the whole roster */
  readonly holders?: readonly PartyIndex[] | undefined;
}

/**
 * The receipts of every signer that will hold the new epoch, for one transition. A signer that has seen it knows that all hold
 * the new epoch durably, so that the old one can go. It stays valid for ever.
 */
export interface EpochCertificate extends EpochTransition {
  readonly holders: readonly PartyIndex[];
  /** one of each holder, ascending */
  readonly receipts: readonly { readonly signer: PartyIndex; readonly signature: Uint8Array }[];
  /** of holders of epochs before, ascending: where the holders change, those of the new epoch wait for some (`handoversFrom`) */
  readonly handovers: readonly EpochHandover[];
}

/** The receipts alone: they name the holders. */
type Receipted = Omit<EpochCertificate, "holders" | "handovers">;

const EPOCH_MAX = 2 ** 32 - 1;
const SUBJECT_BYTES_MAX = 128;
const DIGEST_BYTES = 32;
const SIGNATURE_BYTES = 64;
/** One receipt and one handover of each of 64 signers, and the transition. */
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

/** Without handovers, as versions wrote it that knew none. */
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
 * The bytes that a signer's identity key signs when its part of a new epoch is durable: JSON text, as `attestationBytes`
 * is. Neither is ever taken for the other, or for an envelope between signers.
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
      // as versions wrote it that knew no others than the whole roster
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

/** The certificate of a transition, as it travels; undefined unless every signer that is to hold it gave its receipt. */
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
 * A certificate as it travels, with these handovers in the place of its own.
 *
 * @param certificate as `certify` or this function wrote it
 * @param handovers by the signer that gave it; signed, or no signer believes the certificate
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

/** A certificate that verifies, with the identities by which it does: today's, or those before a renewal. */
export interface VerifiedCertificate extends EpochCertificate {
  readonly by: IdentityRoster;
}

/** The knowledge of a cluster beside the signers of today. */
export interface KnownOfCertificates {
  /** the identities of the cluster at earlier times, the latest first; nobody takes a new message signed by one of them */
  readonly past?: readonly IdentityRoster[] | undefined;
  /** other holders that are believed of a subject: those of attempts of which this signer holds its part */
  readonly holdersOf?: (subject: string) => readonly (readonly PartyIndex[])[];
}

/**
 * Reads a certificate, and believes it only when exactly the signers that it gave a part gave their receipts, in their order, all over the
 * same transition, by the identities that they had at one time. These are the whole roster of that time, the signers that hold what is made
 * now, or others that the caller knows of. Each handover in it is of another signer, by its identity of that time or of today.
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
