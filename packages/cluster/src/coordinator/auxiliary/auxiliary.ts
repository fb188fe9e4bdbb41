import { problem, type SignedAuthorisation } from "@conclave/custody";
import type { Entropy, IdentityRoster, PartyIndex } from "@conclave/threshold";
import { bytesToHex, hexToBytes } from "@noble/hashes/utils.js";
import { AUXILIARY_SUBJECT, certify } from "../../control/epoch-certificate.ts";
import type { SessionReport } from "../../control/report.ts";
import type { SessionKey } from "../../control/session-key.ts";
import { FIRST_EPOCH_MAX } from "../../signer/limits.ts";
import {
  type CertifiedEpoch,
  type HeldEpoch,
  latestCertified,
  NO_RECEIPTS,
  nextEpochOf,
  type Receipts,
  withReceipt,
} from "../certified.ts";
import { isOfClock, learnClock, nameDeadline, type OwnClock } from "../clocks.ts";
import type { AuxiliaryResult, CoordinatorEffect } from "../effect.ts";
import type { CoordinatorEvent } from "../event.ts";
import { freshSession } from "../fresh-session.ts";
import {
  ASK_AGAIN_MS,
  FINAL_REPORTS_MS,
  PAUSE_MS,
  PAUSE_MS_MAX,
  RENEWAL_ATTEMPTS_MAX,
  SWITCH_MS_MAX,
} from "../limits.ts";
import { absentFrom, idsOf, type Members } from "../quorum/choose.ts";
import { mayPass } from "../refusal.ts";
import { accusationIn, blameOnRecord } from "../roster-run.ts";
import type { Standings } from "../standings.ts";

export interface AuxiliaryCoordinatorConfig extends OwnClock {
  readonly roster: Members;
  /** the identities of the cluster at earlier times, the latest first */
  readonly past?: readonly IdentityRoster[];
  readonly entropy: Entropy;
  /** AUXILIARY_ATTEMPT_MS by default */
  readonly attemptMs: number;
  /** the epoch that is replaced; 0 where there is none */
  readonly from: number;
  /** AuthorisedAuxiliary of one attempt; absent for the first epoch alone */
  readonly authorise?: (from: number, epoch: number) => SignedAuthorisation;
}

/** The auxiliary info that a signer reports to hold. */
export interface HeldAuxiliary extends HeldEpoch {
  /** digest of the active epoch; empty when there is none */
  readonly digest: Uint8Array;
}

/** The knowledge with which a coordinator of auxiliary info begins. */
export interface KnownAuxiliary {
  readonly live: readonly PartyIndex[];
  /** the auxiliary info that each signer reported */
  readonly held: ReadonlyMap<PartyIndex, HeldAuxiliary>;
  /** answers of the signers that were asked for the certificate of their epoch */
  readonly certificates: readonly Uint8Array[];
  /** standings of signers, from an earlier coordinator */
  readonly health?: Standings;
}

interface Generation {
  readonly key: SessionKey;
  readonly epoch: number;
  /** as the signers received the deadline, on their clocks */
  readonly signersExpiresAtMs: number;
  /** on the coordinator's clock */
  readonly deadlineMs: number;
  readonly open: ReadonlySet<PartyIndex>;
  readonly receipts: Receipts;
}

/** The coordinator is showing a certificate to every signer. */
interface Switching {
  readonly to: CertifiedEpoch;
  readonly left: ReadonlySet<PartyIndex>;
  readonly switched: number;
  readonly untilMs: number;
}

/**
 * Gives all signers auxiliary info of one epoch, the same on each; for the first epoch it tries until that succeeds.
 * Until every signer has signed a receipt for it, no signer changes what is active.
 */
export interface AuxiliaryCoordinator {
  readonly config: AuxiliaryCoordinatorConfig;
  readonly live: ReadonlySet<PartyIndex>;
  /** the auxiliary info that each signer had reported when the coordinator began */
  readonly held: ReadonlyMap<PartyIndex, HeldAuxiliary>;
  readonly certificates: readonly Uint8Array[];
  readonly generation: Generation | undefined;
  readonly switching: Switching | undefined;
  /** the number of the last attempt: no number is used twice */
  readonly used: number;
  readonly failures: number;
  readonly resumeAtMs: number;
  readonly why: string;
  readonly waitingFor: string | undefined;
  /** standings of signers; the next coordinator of the process takes them over */
  readonly health: Standings;
  readonly isClosed: boolean;
}

type Effect = CoordinatorEffect<AuxiliaryResult>;
export interface AuxiliaryStep {
  readonly state: AuxiliaryCoordinator;
  readonly effects: readonly Effect[];
}

/**
 * Starts to bring auxiliary info to the cluster; done at once when every signer already holds the same.
 *
 * @param known the live signers and what each holds; nothing is known of the others
 * @param nowMs milliseconds of the monotonic clock
 */
export const openAuxiliaryCoordinator = (
  config: AuxiliaryCoordinatorConfig,
  known: KnownAuxiliary,
  nowMs: number,
): AuxiliaryStep =>
  proceed(
    {
      config,
      live: new Set(known.live),
      held: known.held,
      certificates: known.certificates,
      generation: undefined,
      switching: undefined,
      used: 0,
      failures: 0,
      resumeAtMs: 0,
      why: "",
      waitingFor: undefined,
      health: known.health ?? new Map(),
      isClosed: false,
    },
    nowMs,
  );

/** The coordinator's step on one event. */
export const stepAuxiliaryCoordinator = (
  state: AuxiliaryCoordinator,
  event: CoordinatorEvent,
  nowMs: number,
): AuxiliaryStep => {
  if (state.isClosed) return { state, effects: [] };
  switch (event.kind) {
    case "report":
      return hear(state, event.signer, event.session, event.report, nowMs);
    case "lost":
      return isCurrent(state, event)
        ? tryAgain(state, [event.signer], `${named(state, event.signer)} was lost`, nowMs)
        : { state, effects: [] };
    case "live":
      return proceed({ ...state, live: new Set(event.signers) }, nowMs);
    case "tick":
      return tick(state, nowMs);
    case "stop":
      return close(state, cancelAll(state, []));
    case "switched":
      return event.keyId === AUXILIARY_SUBJECT
        ? answered(state, event.signer, event.epoch)
        : { state, effects: [] };
    case "refused":
      return event.keyId === AUXILIARY_SUBJECT && !mayPass(event.problem.code)
        ? answered(state, event.signer, 0)
        : { state, effects: [] };
    case "key-state":
    case "unanswered":
      return { state, effects: [] };
  }
};

const named = ({ config }: AuxiliaryCoordinator, signer: PartyIndex): string =>
  idsOf(config.roster, [signer]).join();

const isCurrent = (
  { generation }: AuxiliaryCoordinator,
  { signer, session }: { readonly signer: PartyIndex; readonly session: SessionKey },
): boolean => generation?.key === session && generation.open.has(signer);

const close = (state: AuxiliaryCoordinator, effects: readonly Effect[]): AuxiliaryStep => ({
  state: { ...state, generation: undefined, isClosed: true },
  effects: [...effects, { kind: "closed" }],
});

const cancelAll = ({ generation }: AuxiliaryCoordinator, ended: readonly PartyIndex[]): readonly Effect[] =>
  generation === undefined
    ? []
    : [...generation.open]
        .filter((signer) => !ended.includes(signer))
        .map((signer) => ({ kind: "cancel", signer, session: generation.key }));

/** The auxiliary info, newer than the one to replace, that all signers use alike; undefined if they do not. */
const agreement = ({ config, held }: AuxiliaryCoordinator): AuxiliaryResult | undefined => {
  const all = [...config.roster.keys()].map((signer) => held.get(signer));
  const [first] = all;
  if (first === undefined || first.epoch <= config.from) return undefined;
  const { epoch, digest } = first;
  const same = bytesToHex(digest);
  return all.every((each) => each?.epoch === epoch && bytesToHex(each.digest) === same)
    ? { epoch, digest }
    : undefined;
};

/**
 * Finishes when all signers use the same info; otherwise shows the certificate of an epoch that all hold; otherwise
 * begins a run of all signers under a new number.
 */
const proceed = (state: AuxiliaryCoordinator, nowMs: number): AuxiliaryStep => {
  if (state.generation !== undefined || state.switching !== undefined) return { state, effects: [] };
  const result = agreement(state);
  if (result !== undefined) return close(state, [{ kind: "done", result }]);
  const { roster, from } = state.config;
  const left = latestCertified(roster, AUXILIARY_SUBJECT, state.held, state.certificates, state.config.past);
  if (left !== undefined && left.epoch > from) return switchTo(state, left, nowMs);
  const absent = absentFrom(roster, state.live);
  if (absent.length > 0) {
    const ids = idsOf(roster, absent).join(", ");
    const reason = `auxiliary generation needs every signer; ${ids} ${absent.length === 1 ? "does" : "do"} not answer`;
    return wait(state, reason, absent, undefined);
  }
  if (nowMs < state.resumeAtMs) return wait(state, `trying again: ${state.why}`, [], state.resumeAtMs);
  return generate(state, nowMs);
};

/**
 * The number of the next attempt; failed attempts use numbers up. For the first epoch, numbers start again at 1 after
 * the last one.
 */
const numberOf = ({ config: { from }, held, used }: AuxiliaryCoordinator): number => {
  const next = Math.max(used + 1, nextEpochOf(from, [...held.values()]));
  return from === 0 && next > FIRST_EPOCH_MAX ? (used % FIRST_EPOCH_MAX) + 1 : next;
};

const wait = (
  state: AuxiliaryCoordinator,
  reason: string,
  unavailable: readonly PartyIndex[],
  untilMs: number | undefined,
): AuxiliaryStep => {
  const effects: Effect[] = state.waitingFor === reason ? [] : [{ kind: "waiting", reason, unavailable }];
  if (untilMs !== undefined) effects.push({ kind: "wake", atMs: untilMs });
  return { state: { ...state, waitingFor: reason }, effects };
};

const generate = (state: AuxiliaryCoordinator, nowMs: number): AuxiliaryStep => {
  const { roster, entropy, attemptMs: forMs, from, authorise } = state.config;
  const { id, key } = freshSession(entropy);
  const epoch = numberOf(state);
  const signers = [...roster.keys()];
  const { expiresAtMs, signersExpiresAtMs } = nameDeadline(
    state.health,
    signers,
    { nowMs, forMs },
    state.config,
  );
  const deadlineMs = expiresAtMs + FINAL_REPORTS_MS;
  const authorised = authorise === undefined ? {} : { authorisation: authorise(from, epoch) };
  const command = { kind: "auxiliary", epoch, ...authorised, expiresAtMs: signersExpiresAtMs } as const;
  const open = new Set(signers);
  const generation: Generation = { key, epoch, signersExpiresAtMs, deadlineMs, open, receipts: NO_RECEIPTS };
  return {
    state: { ...state, generation, used: epoch, waitingFor: undefined },
    effects: [
      ...signers.map((signer) => ({ kind: "call", signer, session: id, command }) as const),
      { kind: "wake", atMs: deadlineMs },
    ],
  };
};

const tryAgain = (
  state: AuxiliaryCoordinator,
  ended: readonly PartyIndex[],
  why: string,
  nowMs: number,
): AuxiliaryStep => {
  const pauseMs = Math.min(PAUSE_MS * 2 ** state.failures, PAUSE_MS_MAX);
  const failures = state.failures + 1;
  if (state.config.authorise !== undefined && failures >= RENEWAL_ATTEMPTS_MAX) {
    const failed: Effect = { kind: "failed", problem: problem("AuxiliaryFailed", { reason: why }) };
    return close(state, [...cancelAll(state, ended), failed]);
  }
  const rested = { ...state, generation: undefined, failures, why, resumeAtMs: nowMs + pauseMs };
  const next = proceed(rested, nowMs);
  return { state: next.state, effects: [...cancelAll(state, ended), ...next.effects] };
};

const switchTo = (state: AuxiliaryCoordinator, to: CertifiedEpoch, nowMs: number): AuxiliaryStep => {
  const left = new Set(state.config.roster.keys());
  const switching = { to, left, switched: 0, untilMs: nowMs + SWITCH_MS_MAX };
  return show({ ...state, generation: undefined, switching }, switching, nowMs);
};

/** Shows the certificate to the remaining signers, whether they are reported live or not: only an answer is certain. */
const show = (state: AuxiliaryCoordinator, { to, left }: Switching, nowMs: number): AuxiliaryStep => ({
  state,
  effects: [
    ...[...left].map(
      (signer): Effect => ({
        kind: "switch",
        signer,
        keyId: AUXILIARY_SUBJECT,
        certificate: to.certificate,
      }),
    ),
    { kind: "wake", atMs: nowMs + ASK_AGAIN_MS },
  ],
});

/** @param epoch the epoch that is active at the signer now, 0 when it has none */
const answered = (state: AuxiliaryCoordinator, signer: PartyIndex, epoch: number): AuxiliaryStep => {
  const { switching } = state;
  if (switching?.left.has(signer) !== true) return { state, effects: [] };
  const left = new Set(switching.left);
  left.delete(signer);
  const switched = epoch >= switching.to.epoch ? switching.switched + 1 : switching.switched;
  const next = { ...state, switching: { ...switching, left, switched } };
  if (left.size > 0) return { state: next, effects: [] };
  return switched > 0 ? concluded(next, switching.to) : takenByNobody(next, switching);
};

/**
 * Every signer refused the certificate, so nothing has changed. A renewal has failed; a first epoch's certificate is
 * shown again.
 */
const takenByNobody = (state: AuxiliaryCoordinator, switching: Switching): AuxiliaryStep => {
  const reason = `no signer took the certificate of epoch ${switching.to.epoch}`;
  if (state.config.authorise !== undefined) {
    const failed: Effect = { kind: "failed", problem: problem("AuxiliaryFailed", { reason }) };
    return close({ ...state, switching: undefined }, [failed]);
  }
  // the wake that was set when the certificate was shown brings the next attempt
  const left = new Set(state.config.roster.keys());
  return { state: { ...state, switching: { ...switching, left } }, effects: [] };
};

/** Done: the signers that are left follow later, as those that switched keep the certificate. */
const concluded = (state: AuxiliaryCoordinator, { epoch, digest }: CertifiedEpoch): AuxiliaryStep =>
  close({ ...state, switching: undefined }, [{ kind: "done", result: { epoch, digest } }]);

const hear = (
  state: AuxiliaryCoordinator,
  signer: PartyIndex,
  session: SessionKey,
  report: SessionReport,
  nowMs: number,
): AuxiliaryStep => {
  const { generation } = state;
  if (generation === undefined || !isCurrent(state, { signer, session })) return { state, effects: [] };
  const failed = (why: string): AuxiliaryStep => tryAgain(state, [signer], why, nowMs);
  const id = named(state, signer);
  switch (report.kind) {
    case "progress":
      return { state, effects: [{ kind: "progress", signer, stage: report.stage }] };
    case "auxiliary":
      return report.epoch === generation.epoch && report.from === state.config.from
        ? collect(state, generation, signer, report, nowMs)
        : failed(`${id} answered for another epoch`);
    case "refusal": {
      const { problem: refusal } = report;
      const health = isOfClock(refusal.code)
        ? learnClock(state.health, signer, refusal, nowMs, state.config)
        : state.health;
      return tryAgain({ ...state, health }, [signer], `${id} refused: ${refusal.message}`, nowMs);
    }
    case "failure": {
      const silent = report.silent.filter((peer) => peer !== signer);
      const blamedOn = idsOf(state.config.roster, silent).join(", ");
      return failed(silent.length > 0 ? `${blamedOn} fell silent` : `${id} failed: ${report.reason}`);
    }
    case "fault": {
      const { why, record } = accusationIn(state.config.roster, generation, signer, report.evidence);
      const health = blameOnRecord(state.health, record, nowMs);
      const next = tryAgain({ ...state, health }, [signer], why, nowMs);
      return { state: next.state, effects: [...record, ...next.effects] };
    }
    default:
      return failed(`${id} answered what was not asked`);
  }
};

/**
 * Collects a receipt. The new epoch is valid once every signer has signed that it holds it durably, with the same
 * public data.
 */
const collect = (
  state: AuxiliaryCoordinator,
  generation: Generation,
  signer: PartyIndex,
  { from, epoch, digest, receipt }: Extract<SessionReport, { readonly kind: "auxiliary" }>,
  nowMs: number,
): AuxiliaryStep => {
  const { roster } = state.config;
  const session = hexToBytes(generation.key);
  const said = { subject: AUXILIARY_SUBJECT, from, to: epoch, digest, session };
  const receipts = withReceipt(roster, generation.receipts, signer, said, receipt);
  if (receipts === "different") return tryAgain(state, [signer], "the signers hold different moduli", nowMs);
  if (receipts === "invalid") {
    return tryAgain(state, [signer], `${named(state, signer)} did not sign its receipt`, nowMs);
  }
  const open = new Set(generation.open);
  open.delete(signer);
  const next: AuxiliaryCoordinator = { ...state, generation: { ...generation, open, receipts } };
  const certificate = certify(roster, said, receipts.given);
  if (certificate === undefined) return { state: next, effects: [] };
  return switchTo(next, { epoch, digest, certificate }, nowMs);
};

const tick = (state: AuxiliaryCoordinator, nowMs: number): AuxiliaryStep => {
  const { generation, switching } = state;
  if (switching !== undefined) {
    const isEnough = nowMs >= switching.untilMs && switching.switched > 0;
    return isEnough ? concluded(state, switching.to) : show(state, switching, nowMs);
  }
  if (generation === undefined) return proceed(state, nowMs);
  if (nowMs < generation.deadlineMs)
    return { state, effects: [{ kind: "wake", atMs: generation.deadlineMs }] };
  const silent = idsOf(state.config.roster, [...generation.open]).join(", ");
  return tryAgain(state, [], `the deadline passed; ${silent} did not finish`, nowMs);
};
