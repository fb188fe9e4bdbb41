import type { PartyIndex } from "@conclave/threshold";
import { bytesToHex, hexToBytes } from "@noble/hashes/utils.js";
import {
  certifiersOf,
  certify,
  type EpochTransition,
  isReceiptOf,
  type KnownOfCertificates,
  readCertificate,
  type VerifiedCertificate,
} from "../control/epoch-certificate.ts";
import type { PendingEpoch } from "../control/pending-epoch.ts";
import { ATTEMPTS_VERIFIED_MAX } from "./limits.ts";
import type { Members } from "./quorum/choose.ts";

/** The epochs of a key, or of the auxiliary information, that a signer reports by GetStatus or ListKeys. */
export interface HeldEpoch {
  /** the active epoch; 0 when there is none */
  readonly epoch: number;
  /** new epochs that wait for their certificates */
  readonly pending: readonly PendingEpoch[];
}

/** A certified epoch: every signer can switch to it. */
export interface CertifiedEpoch {
  readonly epoch: number;
  /** digest of all its public data */
  readonly digest: Uint8Array;
  readonly certificate: Uint8Array;
}

const transitionOf = (
  subject: string,
  { from, epoch, session, digest }: PendingEpoch,
  holders: readonly PartyIndex[],
): EpochTransition | undefined =>
  /^[0-9a-f]{64}$/.test(session)
    ? { subject, from, to: epoch, digest, session: hexToBytes(session), holders }
    : undefined;

/** The epochs that all holders hold, according to the receipts that they show. */
const completeOf = (
  roster: Members,
  subject: string,
  held: ReadonlyMap<PartyIndex, HeldEpoch>,
): readonly CertifiedEpoch[] => {
  const certifiers = certifiersOf(roster, subject);
  const bySigner = certifiers.flatMap((signer) => {
    const { pending } = held.get(signer) ?? {};
    return pending === undefined
      ? []
      : [[signer, new Map(pending.map((each) => [each.session, each]))] as const];
  });
  if (bySigner.length < certifiers.length) return [];
  const first = certifiers[0] === undefined ? undefined : held.get(certifiers[0]);
  const alike = (first?.pending ?? []).filter(({ epoch, session }) =>
    bySigner.every(([, sessions]) => sessions.get(session)?.epoch === epoch),
  );
  const latest = alike.sort((one, other) => other.epoch - one.epoch).slice(0, ATTEMPTS_VERIFIED_MAX);
  return latest.flatMap((pending) => {
    const transition = transitionOf(subject, pending, certifiers);
    if (transition === undefined) return [];
    const receipts = new Map(
      bySigner.flatMap(([signer, sessions]) => {
        const same = sessions.get(pending.session);
        return same === undefined ? [] : [[signer, same.receipt] as const];
      }),
    );
    const certificate = certify(roster, transition, receipts);
    const { epoch, digest } = pending;
    return certificate === undefined ? [] : [{ epoch, digest, certificate }];
  });
};

/** The identities of earlier times, the latest first. */
type Past = KnownOfCertificates["past"];

/** A certificate that a signer shows; undefined when it does not verify, or is of another subject. */
const shownOf = (
  roster: Members,
  subject: string,
  certificate: Uint8Array,
  past: Past,
): CertifiedEpoch | undefined => {
  const read = readCertificate(roster, certificate, { past });
  return read?.subject === subject ? { epoch: read.to, digest: read.digest, certificate } : undefined;
};

/**
 * The latest epoch that has a certificate, or for which all signers show receipts, if a signer that holds it has not
 * switched to it yet. A signer that holds no part of it has lost it, and can only take part in a new epoch. All is
 * verified by signatures: no signer's answer need be trusted.
 */
export const latestCertified = (
  roster: Members,
  subject: string,
  held: ReadonlyMap<PartyIndex, HeldEpoch>,
  certificates: readonly Uint8Array[],
  past?: Past,
): CertifiedEpoch | undefined => {
  const shown = certificates.flatMap((certificate) => shownOf(roster, subject, certificate, past) ?? []);
  const [latest] = [...shown, ...completeOf(roster, subject, held)].sort(
    (one, other) => other.epoch - one.epoch,
  );
  if (latest === undefined) return undefined;
  const certified = readCertificate(roster, latest.certificate, { past });
  if (certified === undefined) return undefined;
  const isLeft = [...held].some(
    ([signer, { epoch, pending }]) =>
      epoch < latest.epoch && pending.some((each) => isReceipted(roster, certified, signer, each)),
  );
  return isLeft ? latest : undefined;
};

/**
 * Whether a signer shows its own receipt for the certified epoch; without this check, a false claim could block a new
 * epoch. A signer signs its receipts anew at each start, so after a renewal they name the identities of today.
 */
const isReceipted = (
  roster: Members,
  certified: VerifiedCertificate,
  signer: PartyIndex,
  { from, epoch, session, digest, receipt }: PendingEpoch,
): boolean =>
  epoch === certified.to &&
  from === certified.from &&
  session === bytesToHex(certified.session) &&
  bytesToHex(digest) === bytesToHex(certified.digest) &&
  [roster, certified.by].some((then) => isReceiptOf(then, signer, certified, receipt));

/** Epochs further than this above those that half of the signers claim are disbelieved: a liar could use up all numbers. */
const CLAIMED_AHEAD_MAX = 65_536;

/**
 * The number of the next attempt: above all epochs that signers credibly claim to hold.
 *
 * @param active the epoch that is to be replaced
 */
export const nextEpochOf = (active: number, held: readonly HeldEpoch[]): number => {
  const highest = held
    .map(({ epoch, pending }) => Math.max(active, epoch, ...pending.map((each) => each.epoch)))
    .sort((one, other) => other - one);
  const credible = (highest[Math.floor(highest.length / 2)] ?? active) + CLAIMED_AHEAD_MAX;
  const claims = held.flatMap(({ epoch, pending }) => [epoch, ...pending.map((each) => each.epoch)]);
  return 1 + Math.max(active, ...claims.filter((claim) => claim <= credible));
};

/** The receipts of one run so far. */
export interface Receipts {
  readonly transition: EpochTransition | undefined;
  readonly given: ReadonlyMap<PartyIndex, Uint8Array>;
}

export const NO_RECEIPTS: Receipts = { transition: undefined, given: new Map() };

/**
 * Adds one signer's receipt.
 *
 * @returns "invalid" when it is not by this signer, "different" when the others' receipts are for another transition
 */
export const withReceipt = (
  roster: Members,
  { transition, given }: Receipts,
  signer: PartyIndex,
  said: EpochTransition,
  signature: Uint8Array,
): Receipts | "invalid" | "different" => {
  if (!isReceiptOf(roster, signer, said, signature)) return "invalid";
  if (transition !== undefined && bytesToHex(transition.digest) !== bytesToHex(said.digest))
    return "different";
  return { transition: transition ?? said, given: new Map(given).set(signer, signature) };
};
