import { problem } from "@conclave/custody";
import { holdersOfShare, type KeyHolders, signEd25519 } from "@conclave/threshold";
import { bytesToHex } from "@noble/hashes/utils.js";
import { AUXILIARY_SUBJECT, readCertificate } from "../../control/epoch-certificate.ts";
import { type EpochOfSession, waiverBytes, waiversOf } from "../../control/epoch-waiver.ts";
import { firstParties } from "../config.ts";
import type { SignerEffect } from "../effect.ts";
import type { SignerEvent } from "../event.ts";
import { isKeyChange } from "../key-change/key-change-purpose.ts";
import { keepOnly, namesOf, sharesPending } from "../key-change/next-share.ts";
import { KEY_EPOCH_FIRST } from "../key-generation/key-epoch.ts";
import { WAIVERS_MAX } from "../limits.ts";
import { storedKey } from "../records/key-records.ts";
import { lookUp, put } from "../records/persistent-map.ts";
import { RECORDS, type WaiverRecord } from "../records/record.ts";
import { authorisedKeyDiscard } from "../session/authorise.ts";
import { refuse } from "../session/begin.ts";
import {
  andThen,
  endWith,
  type OpenSession,
  type SignerState,
  type SignerStep,
  unchanged,
} from "../state.ts";

type Discard = Extract<SignerEvent, { readonly kind: "discard-epoch" }>;

/**
 * Discards the result of a session, as the authority asks. A signer that holds no part of the result first records
 * durably that it never will, and then signs a waiver. A signer that holds a part gave a receipt, which may be in a
 * certificate, so it keeps the part unless t signers waive: at most t-1 signers lie, so an honest one gave no receipt,
 * and there is no certificate.
 */
export const discardEpoch = (state: SignerState, event: Discard, nowMs: number): SignerStep => {
  const { call, authorisation, waivers } = event;
  const { config } = state;
  const authorised = authorisedKeyDiscard(config, authorisation, nowMs);
  if (!authorised.ok) return refuse(state, call, authorised.problem);
  const { keyId: subject, session } = authorised.value.value;
  const unwanted = { subject, session };
  if (mayBeActive(state, unwanted)) return refuse(state, call, problem("EpochReceipted", { subject }));
  const known = lookUp(state.waived, session);
  const isFull = known === undefined && state.waived.size >= WAIVERS_MAX;
  if (isFull) return refuse(state, call, problem("TooManySessions"));
  if (!isHeld(state, unwanted)) return waive(state, event, unwanted, known?.isWaiver ?? true);
  const { parties, threshold } = partakersOf(state, unwanted);
  if (waiversOf(config.roster, parties, unwanted, waivers) < threshold) {
    return refuse(state, call, problem("EpochReceipted", { subject }));
  }
  const step = forget(state, unwanted);
  const report = { kind: "epoch-discarded", ...unwanted, waiver: undefined } as const;
  return { state: step.state, effects: [...step.effects, { kind: "report", call, report }] };
};

const isHeld = ({ next, pendingAuxiliary }: SignerState, { subject, session }: EpochOfSession): boolean => {
  const pending = subject === AUXILIARY_SUBJECT ? pendingAuxiliary : sharesPending({ next }, subject);
  return pending.some((each) => each.session === session);
};

/** The holders that a session, whose result this signer holds, gave a part, and their threshold. */
const partakersOf = (state: SignerState, { subject, session }: EpochOfSession): KeyHolders => {
  const { threshold } = state.config;
  const share = sharesPending(state, subject).find((each) => each.session === session);
  if (share !== undefined) return holdersOfShare(share.scheme, share.share.reveal());
  const made = state.pendingAuxiliary.find((each) => each.session === session);
  return { threshold, parties: made?.holders ?? firstParties(state.config) };
};

/**
 * Whether the attempt made the epoch that is active here. If no record names the session that made the active epoch,
 * every attempt may have made it that is neither held nor under way. The signer must not waive the active epoch: its
 * waiver would let the others erase theirs.
 */
const mayBeActive = (state: SignerState, unwanted: EpochOfSession): boolean => {
  const active = activeOf(state, unwanted.subject);
  if (active === undefined) return false;
  if (active.session !== undefined) return active.session === unwanted.session;
  return !isHeld(state, unwanted) && underWay(state, unwanted) === undefined;
};

/** The active epoch and its session; undefined if no session that can be discarded made it, as for a key's first epoch. */
const activeOf = (
  state: SignerState,
  subject: string,
): { readonly session: string | undefined } | undefined => {
  if (subject === AUXILIARY_SUBJECT) {
    const { auxiliary } = state;
    return auxiliary && { session: auxiliary.session ?? certifiedSession(state, auxiliary.certificate) };
  }
  const key = storedKey(state, subject);
  if (key === undefined || key.epoch === KEY_EPOCH_FIRST) return undefined;
  return { session: key.session ?? certifiedSession(state, key.certificate) };
};

/** The session of an active epoch, from its certificate: a record of an older version does not name it. */
const certifiedSession = (
  { config }: SignerState,
  certificate: Uint8Array | undefined,
): string | undefined => {
  const read = certificate && readCertificate(config.roster, certificate, config);
  return read && bytesToHex(read.session);
};

const noteOf = (subject: string, isWaiver: boolean): WaiverRecord => ({ version: 1, subject, isWaiver });

/** @param isWaiver false if this signer once held the result: then it signs no waiver */
const waive = (
  state: SignerState,
  { call }: Discard,
  unwanted: EpochOfSession,
  isWaiver: boolean,
): SignerStep => {
  const { config } = state;
  const { subject, session } = unwanted;
  const note = noteOf(subject, isWaiver);
  const write: SignerEffect = {
    kind: "store",
    record: RECORDS.waiver.name(session),
    value: RECORDS.waiver.write(note),
  };
  const bytes = waiverBytes(config.roster, config.self, unwanted);
  const waiver = isWaiver ? signEd25519(bytes, config.secrets.reveal().identity) : undefined;
  const stopped = andThen(stop(state, unwanted), (left) => ({
    state: { ...left, waived: put(left.waived, session, note) },
    effects: [write],
  }));
  return andThen(stopped, (next) => ({
    state: next,
    effects: [{ kind: "report", call, report: { kind: "epoch-discarded", ...unwanted, waiver } }],
  }));
};

const underWay = (state: SignerState, { subject, session: given }: EpochOfSession): OpenSession | undefined =>
  [...state.sessions.values()].find(({ given: its, purpose }) => {
    const isOf = subject === AUXILIARY_SUBJECT ? purpose.protocol === "auxiliary" : isKeyChange(purpose);
    return its === given && isOf;
  });

/** Ends the unwanted session if it is under way. */
const stop = (state: SignerState, unwanted: EpochOfSession): SignerStep => {
  const session = underWay(state, unwanted);
  const reason = "what the session makes is not wanted any more";
  return session === undefined
    ? unchanged(state)
    : endWith(state, session, { kind: "failure", reason, silent: [] });
};

/** Erases the result, and records that this signer held it, in one synced write. */
const forget = (state: SignerState, { subject, session }: EpochOfSession): SignerStep => {
  const note = noteOf(subject, false);
  const puts = [{ record: RECORDS.waiver.name(session), value: RECORDS.waiver.write(note) }];
  const noted = { ...state, waived: put(state.waived, session, note) };
  if (subject === AUXILIARY_SUBJECT) {
    const over = state.pendingAuxiliary.filter((each) => each.session === session);
    const erases = over.map(({ epoch }) => RECORDS.pendingAuxiliary.name(String(epoch)));
    const pendingAuxiliary = state.pendingAuxiliary.filter((each) => each.session !== session);
    return {
      state: { ...noted, pendingAuxiliary },
      effects: [{ kind: "batch", puts, erases, sync: true }],
    };
  }
  const shares = sharesPending(state, subject);
  const erases = shares.filter((each) => each.session === session).flatMap((each) => namesOf(subject, each));
  const left = shares.filter((each) => each.session !== session);
  return {
    state: keepOnly(noted, subject, left),
    effects: [{ kind: "batch", puts, erases, sync: true }],
  };
};
