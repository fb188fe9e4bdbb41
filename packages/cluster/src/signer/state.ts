import type { Attempt, KeyHolders, PartyIndex, SchemeName } from "@conclave/threshold";
import type { SessionReport } from "../control/report.ts";
import type { CallId, SessionKey } from "../control/session-key.ts";
import type { SignerConfig } from "./config.ts";
import type { SignerEffect } from "./effect.ts";
import type { PendingAuxiliary, PendingShare } from "./epoch/pending.ts";
import type { SpendingCounts } from "./older-store/spending-counts.ts";
import type { Pool } from "./presigning/pool.ts";
import type { ReadRecord } from "./records/history.ts";
import type { PersistentMap } from "./records/persistent-map.ts";
import type { AuxiliaryRecord, KeyProvenance, QuarantineRecord, WaiverRecord } from "./records/record.ts";
import { type EndedRuns, withEndedRun } from "./session/ended-runs.ts";
import type { Forgotten } from "./session/forgotten-mark.ts";
import { type Mail, takeMail } from "./session/mail.ts";
import type { MessageIds } from "./session/message-ids.ts";
import type { RememberedIds } from "./session/remembered-ids.ts";
import type { RecentBindings } from "./signing/recent-bindings.ts";
import type { SigningCall } from "./signing/signing-call.ts";

/** The purpose of an open session. */
export type Purpose =
  | {
      readonly protocol: "auxiliary";
      /** the epoch to replace; 0 where there is none */
      readonly from: number;
      readonly epoch: number;
    }
  | {
      /** the signers generate it, or a client imports it */
      readonly protocol: "key-generation" | "key-import";
      readonly keyId: string;
      readonly scheme: SchemeName;
      /** organisation and date that the authority states */
      readonly made: KeyProvenance;
    }
  | { readonly protocol: "key-export"; readonly keyId: string; readonly epoch: number }
  | {
      readonly protocol: "key-refresh" | "key-reshare";
      readonly keyId: string;
      readonly scheme: SchemeName;
      /** the key's epoch when the session began */
      readonly epoch: number;
      readonly nextEpoch: number;
      /** the current holders, where they or their threshold change */
      readonly before?: KeyHolders;
    }
  | {
      readonly protocol: "presigning";
      readonly keyId: string;
      readonly epoch: number;
      readonly auxiliaryEpoch: number;
    }
  | {
      /** one signable of a signing call, which holds the rest */
      readonly protocol: "signing";
      readonly keyId: string;
      readonly scheme: SchemeName;
      /** index of the signable in its signing call */
      readonly at: number;
    };

export interface OpenSession {
  /** the run id, which signers derive from all inputs that they must agree on */
  readonly run: SessionKey;
  /** the values that the run id is derived from */
  readonly attempt: Attempt;
  /** the session id as this signer received it, in hex */
  readonly given: string;
  readonly call: CallId;
  /** ascending, self included */
  readonly parties: readonly PartyIndex[];
  readonly expiresAtMs: number;
  readonly purpose: Purpose;
  /** whether the compute host has it; until then its envelopes wait in the mail */
  readonly isOpened: boolean;
  readonly stage: string;
  readonly awaiting: readonly PartyIndex[];
  /** how far the session has come (`phaseOf` of the compute host) */
  readonly phase: number;
  /** sent ahead of the session's first envelope, and with it */
  readonly announcements: readonly SignerEffect[];
  /** number of envelopes delivered to the host, by sender */
  readonly delivered: ReadonlyMap<PartyIndex, number>;
}

/** All that a signer knows. Sessions live in memory alone: a restart burns them (INV-2). */
export interface SignerState {
  readonly config: SignerConfig;
  /** drawn at the start of this process, and again when it may continue from a copy of its memory: commands name it (INV-7) */
  readonly life: Uint8Array;
  readonly auxiliary: AuxiliaryRecord | undefined;
  /** number of keys of which it holds a share, pending ones included; the shares are in the store alone */
  readonly keyCount: number;
  /** number of these keys that need a refresh before it signs with them, as the store was an older copy */
  readonly keysToRefresh: number;
  /** the public facts of pending auxiliary info, ascending by epoch; not used yet */
  readonly pendingAuxiliary: readonly PendingAuxiliary[];
  /** shares of next epochs, by key, ascending by epoch; not used yet */
  readonly next: PersistentMap<readonly PendingShare[]>;
  /** sessions whose results the authority discarded: this signer never keeps such a result */
  readonly waived: PersistentMap<WaiverRecord>;
  /** reads keys, session ids, bindings of requests and tombstones, which are in the store alone, as of all effects so far */
  readonly history: ReadRecord;
  /**
   * dates up to which records are forgotten: the signer refuses what is older, even if the clock goes back
   * (INV-4, INV-7)
   */
  readonly forgotten: Forgotten;
  /** Unix milliseconds: date of the last authorisation that was accepted; undefined before the first in this life */
  readonly authorisedAtMs: number | undefined;
  /** the recent bindings of requests: a key's holders hand them over with the key */
  readonly recentBindings: RecentBindings;
  /** the key id for which each envelope of an import was taken, by each of its names (taken-envelopes.ts) */
  readonly envelopes: PersistentMap<string>;
  /** counts the session ids of this life, which may not begin again */
  readonly remembered: RememberedIds;
  /** ids of sessions that sign messages alone: a restart forgets them (begin-signing.ts) */
  readonly messageSessions: MessageIds;
  /** the time of the first event, Unix milliseconds; undefined before it */
  readonly startedAtMs: number | undefined;
  readonly pool: Pool;
  readonly spending: SpendingCounts;
  readonly sessions: ReadonlyMap<SessionKey, OpenSession>;
  /** signing calls under way, by call */
  readonly signingCalls: ReadonlyMap<CallId, SigningCall>;
  readonly mail: Mail;
  /** runs that ended: the signer drops messages that peers still send to them */
  readonly ended: EndedRuns;
  /** peers that cheated: this signer signs nothing with them (P15) */
  readonly quarantine: ReadonlyMap<PartyIndex, QuarantineRecord>;
  readonly sweptAtMs: number;
}

export interface SignerStep {
  readonly state: SignerState;
  readonly effects: readonly SignerEffect[];
}

export const unchanged = (state: SignerState): SignerStep => ({ state, effects: [] });

export const withSigningCall = (state: SignerState, signing: SigningCall): SignerState => ({
  ...state,
  signingCalls: new Map(state.signingCalls).set(signing.call, signing),
});

export const withSession = (state: SignerState, session: OpenSession): SignerState => ({
  ...state,
  sessions: new Map(state.sessions).set(session.run, session),
});

/** Joins two steps: the second continues from the state of the first, and its effects follow. */
export const andThen = (first: SignerStep, next: (state: SignerState) => SignerStep): SignerStep => {
  const second = next(first.state);
  return { state: second.state, effects: [...first.effects, ...second.effects] };
};

/** Ends all sessions of a call: the host forgets their secrets, and the mail their envelopes. */
export const endCall = (state: SignerState, call: CallId): SignerStep => {
  const ended = [...state.sessions.values()].filter((session) => session.call === call);
  const sessions = new Map(state.sessions);
  const signingCalls = new Map(state.signingCalls);
  signingCalls.delete(call);
  let { mail, ended: past } = state;
  for (const { run } of ended) {
    sessions.delete(run);
    ({ mail } = takeMail(mail, run));
    past = withEndedRun(past, run);
  }
  return {
    state: { ...state, sessions, signingCalls, mail, ended: past },
    effects: ended.map(({ run }) => ({ kind: "drop", session: run })),
  };
};

/** Ends all sessions of a call with its final report. */
export const endWith = (
  state: SignerState,
  { call }: Pick<OpenSession, "call">,
  report: SessionReport,
): SignerStep => {
  const ended = endCall(state, call);
  return { state: ended.state, effects: [{ kind: "report", call, report }, ...ended.effects] };
};

/** Ends every open session, each call with this final report. */
export const endAllWith = (state: SignerState, report: SessionReport): SignerStep => {
  const calls = new Set([...state.sessions.values()].map(({ call }) => call));
  return [...calls].reduce(
    (step, call) => andThen(step, (next) => endWith(next, { call }, report)),
    unchanged(state),
  );
};
