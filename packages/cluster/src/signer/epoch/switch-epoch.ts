import { problem } from "@conclave/custody";
import { bytesToHex } from "@noble/hashes/utils.js";
import {
  AUXILIARY_SUBJECT,
  type EpochCertificate,
  type KnownOfCertificates,
  readCertificate,
  type VerifiedCertificate,
} from "../../control/epoch-certificate.ts";
import type { PendingEpoch } from "../../control/pending-epoch.ts";
import type { CallId } from "../../control/session-key.ts";
import { adoptAuxiliary } from "../auxiliary/keep-auxiliary.ts";
import type { SignerEvent } from "../event.ts";
import { adoptNext, sharesPending } from "../key-change/next-share.ts";
import { giveUpShare } from "../key-change/release-dealer.ts";
import { storedKey } from "../records/key-records.ts";
import { refuse } from "../session/begin.ts";
import { andThen, type SignerState, type SignerStep, unchanged } from "../state.ts";

type Switch = Extract<SignerEvent, { readonly kind: "switch-epoch" }>;

const activeEpoch = (state: SignerState, subject: string): number => {
  if (subject === AUXILIARY_SUBJECT) return state.auxiliary?.epoch ?? 0;
  const key = storedKey(state, subject);
  return key?.state === "active" ? key.epoch : 0;
};

const answering = (step: SignerStep, call: CallId, subject: string, epoch: number): SignerStep =>
  andThen(step, (state) => ({
    state,
    effects: [{ kind: "report", call, report: { kind: "switched", subject, epoch } }],
  }));

const isOf = (certificate: EpochCertificate, pending: PendingEpoch): boolean =>
  certificate.to === pending.epoch &&
  certificate.from === pending.from &&
  bytesToHex(certificate.session) === pending.session &&
  bytesToHex(certificate.digest) === bytesToHex(pending.digest);

/**
 * Whether this signer had its identity of today when a certificate was made. All that it holds was receipted by that one: its store began with
 * it. So thieves of identities that were renewed certify nothing that it holds.
 */
const isOwn = ({ config: { self, roster } }: SignerState, { by }: VerifiedCertificate): boolean => {
  const [then, now] = [by.get(self)?.identity, roster.get(self)?.identity];
  return then !== undefined && now !== undefined && bytesToHex(then) === bytesToHex(now);
};

/**
 * Goes to the epoch that a certificate names, and only by a certificate: every signer of the roster holds the epoch
 * durably, so nobody is left behind for good. Whoever shows it need not be trusted. An earlier certificate, or the same
 * again, changes nothing.
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
  const active = activeEpoch(state, subject);
  if (to <= active) return answering(unchanged(state), call, subject, active);
  const adopted =
    subject === AUXILIARY_SUBJECT
      ? toAuxiliary(state, certificate, bytes)
      : toShare(state, certificate, bytes, nowMs);
  if (adopted === undefined) return leave(state, call, certificate);
  return answering(adopted, call, subject, to);
};

/** Holders of attempts of which this signer has its part: it knows them from its own shares. */
const knownTo = ({ config, next }: SignerState): KnownOfCertificates => ({
  past: config.past,
  holdersOf: (subject) => sharesPending({ next }, subject).map(({ holders }) => holders),
});

/**
 * A signer that leaves has no part of what the others hold: it gives up its share of the epoch before, which nobody needs any more. One that
 * stays has lost its part.
 */
const leave = (
  state: SignerState,
  call: CallId,
  { subject, to, holders }: VerifiedCertificate,
): SignerStep => {
  // no others are believed that leave this signer out but the ones that stay (readCertificate)
  const isOfOthers = subject !== AUXILIARY_SUBJECT && !holders.includes(state.config.self);
  const mayLeave = isOfOthers && storedKey(state, subject) !== undefined;
  return mayLeave
    ? answering(giveUpShare(state, subject), call, subject, to)
    : refuse(state, call, problem("EpochLacking", { subject, epoch: to }));
};

const toShare = (
  state: SignerState,
  certificate: EpochCertificate,
  bytes: Uint8Array,
  nowMs: number,
): SignerStep | undefined => {
  const { subject } = certificate;
  const share = sharesPending(state, subject).find((pending) => isOf(certificate, pending));
  return share && adoptNext(state, subject, share, bytes, nowMs);
};

const toAuxiliary = (
  state: SignerState,
  certificate: EpochCertificate,
  bytes: Uint8Array,
): SignerStep | undefined => {
  const pending = state.pendingAuxiliary.find((each) => isOf(certificate, each));
  return pending && adoptAuxiliary(state, pending, bytes);
};

/** The certificate by which the active epoch of a key, or of the auxiliary information, became active. */
export const certificateOf = (
  state: Pick<SignerState, "history" | "auxiliary">,
  subject: string,
): Uint8Array | undefined =>
  subject === AUXILIARY_SUBJECT ? state.auxiliary?.certificate : storedKey(state, subject)?.certificate;
