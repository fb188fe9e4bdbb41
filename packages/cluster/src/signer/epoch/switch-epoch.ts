import { problem } from "@conclave/custody";
import { holdersOfShare } from "@conclave/threshold";
import { bytesToHex } from "@noble/hashes/utils.js";
import {
  AUXILIARY_SUBJECT,
  certifiersOf,
  type EpochCertificate,
  type KnownOfCertificates,
  readCertificate,
  type VerifiedCertificate,
} from "../../control/epoch-certificate.ts";
import { isOther, type KnownRequests } from "../../control/epoch-handover.ts";
import type { PendingEpoch } from "../../control/pending-epoch.ts";
import type { SessionReport } from "../../control/report.ts";
import type { CallId } from "../../control/session-key.ts";
import { adoptAuxiliary } from "../auxiliary/keep-auxiliary.ts";
import type { SignerEvent } from "../event.ts";
import { adoptNext, sharesPending } from "../key-change/next-share.ts";
import { countedHandovers, handoversFrom, type PastOfKey, pastAfter } from "../key-change/past-of-key.ts";
import { giveUpShare } from "../key-change/release-dealer.ts";
import { whyUnconfirmed } from "../older-store/lost-time.ts";
import { isHandedOver, storedKey } from "../records/key-records.ts";
import type { KeyRecord } from "../records/record.ts";
import { refuse } from "../session/begin.ts";
import { holdersOfKey } from "../signing/signing-material.ts";
import { andThen, type SignerState, type SignerStep, unchanged } from "../state.ts";
import { handOver, handoverOf, requestsKnown } from "./hand-over.ts";
import type { PendingShare } from "./pending.ts";

type Switch = Extract<SignerEvent, { readonly kind: "switch-epoch" }>;

const activeEpoch = (state: SignerState, keyId: string): number => {
  const key = storedKey(state, keyId);
  return key?.state === "active" ? key.epoch : 0;
};

type Switched = Omit<Extract<SessionReport, { readonly kind: "switched" }>, "kind">;

const answering = (step: SignerStep, call: CallId, switched: Switched): SignerStep =>
  andThen(step, (state) => ({
    state,
    effects: [{ kind: "report", call, report: { kind: "switched", ...switched } }],
  }));

const isOf = (certificate: EpochCertificate, pending: PendingEpoch): boolean =>
  certificate.to === pending.epoch &&
  certificate.from === pending.from &&
  bytesToHex(certificate.session) === pending.session &&
  bytesToHex(certificate.digest) === bytesToHex(pending.digest);

/**
 * Whether this signer's identity in a certificate is the one that it has today. Its store began
 * with today's identity, so this identity signed all receipts for epochs in the store: a thief of earlier identities
 * cannot certify any of these epochs.
 */
const isOwn = ({ config: { self, roster } }: SignerState, { by }: VerifiedCertificate): boolean => {
  const [then, now] = [by.get(self)?.identity, roster.get(self)?.identity];
  return then !== undefined && now !== undefined && bytesToHex(then) === bytesToHex(now);
};

/**
 * Switches to the epoch that a certificate names. The certificate shows that every holder has the epoch durably, so no
 * signer is left behind for good; its sender need not be trusted. An earlier certificate, or the same again, changes
 * nothing.
 */
export const switchEpoch = (
  state: SignerState,
  { call, certificate: bytes }: Switch,
  nowMs: number,
): SignerStep => {
  const certificate = readCertificate(state.config.roster, bytes, knownTo(state));
  if (certificate === undefined || !isOwn(state, certificate)) {
    return refuse(state, call, problem("EpochCertificateInvalid"));
  }
  const { subject, to } = certificate;
  if (subject !== AUXILIARY_SUBJECT) return switchKey(state, call, certificate, bytes, nowMs);
  const active = state.auxiliary?.epoch ?? 0;
  if (to <= active) return answering(unchanged(state), call, { subject, epoch: active });
  const adopted = toAuxiliary(state, certificate, bytes);
  return adopted === undefined
    ? refuse(state, call, problem("EpochLacking", { subject, epoch: to }))
    : answering(adopted, call, { subject, epoch: to });
};

/**
 * Switches to the next epoch of a key, or gives up the share if this signer does not hold the next epoch. A signer that
 * held the key signs with no earlier epoch from then on, and states that in its handover (INV-4). It signs with the
 * next epoch only after enough handovers that no quorum of the earlier holders is left; without these it waits.
 */
const switchKey = (
  state: SignerState,
  call: CallId,
  certificate: VerifiedCertificate,
  bytes: Uint8Array,
  nowMs: number,
): SignerStep => {
  const { subject, to, holders } = certificate;
  const key = storedKey(state, subject);
  const active = activeEpoch(state, subject);
  const known = requestsKnown(state, subject, nowMs);
  const handover = handoverOf(state, certificate, known);
  const gone = (step: SignerStep, epoch: number) => answering(step, call, { subject, epoch, handover });
  const waiting = () =>
    answering(handOver(state, subject, to, bytes), call, {
      subject,
      epoch: active,
      isWaiting: true,
      ...(key === undefined ? {} : { handover }),
    });
  if (to <= active) return gone(unchanged(state), active);
  const unconfirmed = whyUnconfirmed(state);
  if (unconfirmed !== undefined) return refuse(state, call, unconfirmed);
  const share = sharesPending(state, subject).find((pending) => isOf(certificate, pending));
  if (share !== undefined) {
    const past = pastOf(state, key, share, certificate, known, nowMs);
    if (past === undefined) return waiting();
    // a signer that missed an epoch hands over as a holder of that one, too
    const isOtherHolders =
      share.before !== undefined ||
      (key !== undefined && isOther(holdersOfKey(key), holdersOfShare(share.scheme, share.share.reveal())));
    const promised = isOtherHolders ? handOver(state, subject, to, bytes) : unchanged(state);
    const adopted = andThen(promised, (next) => adoptNext(next, subject, share, bytes, past));
    return gone(adopted, to);
  }
  // readCertificate accepts holders without this signer only if they are the current holders of new epochs
  const isOut = !holders.includes(state.config.self);
  const isLeaving = !certifiersOf(state.config.roster, subject).includes(state.config.self);
  if (!isOut || (key === undefined && !isLeaving)) {
    return refuse(state, call, problem("EpochLacking", { subject, epoch: to }));
  }
  return key !== undefined && !mayGiveUp(state, key, certificate, nowMs)
    ? waiting()
    : gone(
        andThen(handOver(state, subject, to, bytes), (next) => giveUpShare(next, subject)),
        to,
      );
};

/**
 * Whether the holders of the next epoch may sign with it. Before that, the share of a leaving signer may be needed for
 * another reshare.
 */
const mayGiveUp = (
  { config: { self } }: SignerState,
  key: KeyRecord,
  { handovers }: VerifiedCertificate,
  nowMs: number,
): boolean => {
  const before = holdersOfKey(key);
  return countedHandovers(self, before, handovers, nowMs).length + 1 >= handoversFrom(before);
};

const pastOf = (
  state: SignerState,
  key: KeyRecord | undefined,
  { scheme, share, from, before }: PendingShare,
  { subject, handovers }: VerifiedCertificate,
  { latestMs }: KnownRequests,
  nowMs: number,
): PastOfKey | undefined => {
  const { self } = state.config;
  const comes = sharesPending(state, subject).some(
    (each) => each.comes ?? (each.before !== undefined && !each.before.parties.includes(self)),
  );
  const held = key && { ...holdersOfKey(key), epoch: key.epoch };
  const next = { ...holdersOfShare(scheme, share.reveal()), from, before };
  return pastAfter(key ?? {}, { self, held, next, comes, handovers, latestMs }, nowMs);
};

/** The earlier identities, and the holders of pending attempts, which this signer knows from its own shares. */
const knownTo = ({ config, next }: SignerState): KnownOfCertificates => ({
  past: config.past,
  holdersOf: (subject) => sharesPending({ next }, subject).map(({ holders }) => holders),
});

const toAuxiliary = (
  state: SignerState,
  certificate: EpochCertificate,
  bytes: Uint8Array,
): SignerStep | undefined => {
  const pending = state.pendingAuxiliary.find((each) => isOf(certificate, each));
  return pending && adoptAuxiliary(state, pending, bytes);
};

/**
 * The certificate by which the active epoch of a key, or of the auxiliary information, became active; for a key that
 * was handed over, the certificate of the handover.
 */
export const certificateOf = (
  state: Pick<SignerState, "history" | "auxiliary">,
  subject: string,
): Uint8Array | undefined => {
  if (subject === AUXILIARY_SUBJECT) return state.auxiliary?.certificate;
  const key = storedKey(state, subject);
  return key !== undefined && isHandedOver(key) ? key.handedOver?.certificate : key?.certificate;
};
