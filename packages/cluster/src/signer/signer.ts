import type { Envelope, PartyIndex } from "@conclave/threshold";
import type { CommandKind } from "../control/command.ts";
import { isLife, LIFE_BYTES } from "../control/lives.ts";
import type { PendingEpoch } from "../control/pending-epoch.ts";
import { type CallId, type SessionKey, sessionKey } from "../control/session-key.ts";
import { beginAuxiliary, takePrimes } from "./auxiliary/begin-auxiliary.ts";
import { makeAhead } from "./auxiliary/make-ahead.ts";
import type { SignerConfig } from "./config.ts";
import { discardEpoch } from "./epoch/discard-epoch.ts";
import { switchEpoch } from "./epoch/switch-epoch.ts";
import type { SignerEvent } from "./event.ts";
import { beginRefresh, beginReshare } from "./key-change/begin-key-change.ts";
import { infoOfShare } from "./key-change/public-info.ts";
import { beginExport } from "./key-export/begin-export.ts";
import { beginKey } from "./key-generation/begin-key.ts";
import { activateKey, discardKey } from "./key-generation/key-state.ts";
import { shownEpoch } from "./key-holdings.ts";
import { beginImport } from "./key-import/begin-import.ts";
import { PENDING_AUXILIARY_SHOWN_MAX } from "./limits.ts";
import { hearOfSpending, SPENDING_KIND } from "./older-store/spending.ts";
import { NO_SPENDING } from "./older-store/spending-counts.ts";
import { beginPresigning } from "./presigning/begin-presigning.ts";
import { discardPresignatures } from "./presigning/burn.ts";
import { emptyPool } from "./presigning/pool.ts";
import { type PoolStatus, poolStatus } from "./presigning/pool-status.ts";
import { type Quarantined, shownQuarantines } from "./quarantine/quarantine.ts";
import type { ReadRecord } from "./records/history.ts";
import { storedKey } from "./records/key-records.ts";
import { emptyMap } from "./records/persistent-map.ts";
import { recallAll } from "./records/recall.ts";
import type { StoredRecord } from "./records/record.ts";
import { deliverTo } from "./session/begin.ts";
import { takeResult } from "./session/computed.ts";
import { hasEnded, NO_ENDED_RUNS } from "./session/ended-runs.ts";
import { expire } from "./session/expiry.ts";
import { NOTHING_FORGOTTEN } from "./session/forgotten-mark.ts";
import { EMPTY_MAIL, keepEarly } from "./session/mail.ts";
import { NO_MESSAGE_IDS } from "./session/message-ids.ts";
import { burnNonces } from "./session/resumption.ts";
import { beginSigning } from "./signing/begin-signing.ts";
import { BINDINGS_UNKNOWN } from "./signing/recent-bindings.ts";
import {
  andThen,
  endCall,
  endWith,
  type SignerState,
  type SignerStep,
  unchanged,
  withSession,
} from "./state.ts";

/**
 * A signer at its start, from its store. Open sessions and presignatures of the earlier life are gone: their ids are
 * refused, and none is resumed (INV-2). Pending keys are still pending. The effects must be carried out before any
 * event.
 *
 * @param records every record of the store, unsealed, in any order; those of `leftInStore` may be left out
 * @param history reads those when they are named
 * @param life LIFE_BYTES at random, drawn for this start alone
 * @throws when this version cannot read a record, or one is of another security level than the roster's
 */
export const openSigner = (
  config: SignerConfig,
  records: Iterable<StoredRecord>,
  history: ReadRecord,
  life: Uint8Array,
): SignerStep => {
  if (!isLife(life)) throw new Error(`a life has ${LIFE_BYTES} bytes`);
  if (!config.roster.has(config.self)) throw new Error("this signer is not in the roster");
  const empty: SignerState = {
    config,
    life,
    auxiliary: undefined,
    pendingAuxiliary: [],
    keyCount: 0,
    keysToRefresh: 0,
    next: emptyMap(),
    waived: emptyMap(),
    history,
    forgotten: NOTHING_FORGOTTEN,
    authorisedAtMs: undefined,
    recentBindings: BINDINGS_UNKNOWN,
    envelopes: emptyMap(),
    remembered: new Map(),
    messageSessions: NO_MESSAGE_IDS,
    startedAtMs: undefined,
    pool: emptyPool(),
    spending: NO_SPENDING,
    sessions: new Map(),
    signingCalls: new Map(),
    mail: EMPTY_MAIL,
    ended: NO_ENDED_RUNS,
    quarantine: new Map(),
    sweptAtMs: 0,
  };
  return andThen(recallAll(empty, records), (state) => ({ state, effects: makeAhead(state) }));
};

/**
 * A signer's step on one event.
 *
 * @param nowMs Unix milliseconds; never goes back
 * @throws when an invariant of our own is broken: the process must stop, and a restart burns what was open
 */
export const stepSigner = (before: SignerState, event: SignerEvent, nowMs: number): SignerStep => {
  const state = before.startedAtMs === undefined ? { ...before, startedAtMs: nowMs } : before;
  switch (event.kind) {
    case "begin":
      return beginCommand(state, event, nowMs);
    case "discard-presignatures":
      return discardPresignatures(state, event);
    case "activate-key":
      return activateKey(state, event);
    case "switch-epoch":
      return switchEpoch(state, event, nowMs);
    case "discard-epoch":
      return discardEpoch(state, event, nowMs);
    case "discard-key":
      return discardKey(state, event, nowMs);
    case "call-closed":
      return closeCall(state, event.call);
    case "envelope":
      return takeEnvelope(state, event.from, event.envelope, nowMs);
    case "primes":
      return takePrimes(state, event.session, event.primes);
    case "computed":
      return takeResult(state, event.session, event.result, nowMs);
    case "host-lost":
      return loseHost(state, event.sessions);
    case "resumed":
      return burnNonces({ ...state, life: event.life }, nowMs);
    case "tick":
      return expire(state, nowMs);
  }
};

/** Begins the session of a command. */
const beginCommand = (
  state: SignerState,
  { call, session, lives, command }: Extract<SignerEvent, { readonly kind: "begin" }>,
  nowMs: number,
): SignerStep => {
  switch (command.kind) {
    case "auxiliary":
      return beginAuxiliary(state, { ...command, call, session, lives }, nowMs);
    case "key-generation":
      return beginKey(state, { ...command, call, session, lives }, nowMs);
    case "key-import":
      return beginImport(state, { ...command, call, session, lives }, nowMs);
    case "key-export":
      return beginExport(state, { ...command, call, session, lives }, nowMs);
    case "key-refresh":
      return beginRefresh(state, { ...command, call, session, lives }, nowMs);
    case "key-reshare":
      return beginReshare(state, { ...command, call, session, lives }, nowMs);
    case "presigning":
      return beginPresigning(state, { ...command, call, session, lives }, nowMs);
    case "signing":
      return beginSigning(state, { ...command, call, session, lives }, nowMs);
  }
};

/** Ends the sessions of a call whose caller closed its stream; there is no one to report to. */
const closeCall = (state: SignerState, call: CallId): SignerStep => endCall(state, call);

/** Accepts an envelope only if its sender is the peer that TLS authenticated on that link. */
const takeEnvelope = (
  state: SignerState,
  from: PartyIndex,
  envelope: Envelope,
  nowMs: number,
): SignerStep => {
  const { config } = state;
  const isPeer = from === envelope.from && from !== config.self && config.roster.has(from);
  if (isPeer && envelope.kind === SPENDING_KIND) return hearOfSpending(state, from, envelope, nowMs);
  const run = sessionKey(envelope.session);
  if (!isPeer || run === undefined) return unchanged(state);
  const session = state.sessions.get(run);
  if (session === undefined && hasEnded(state.ended, run)) return unchanged(state);
  if (session?.isOpened !== true) {
    return unchanged({ ...state, mail: keepEarly(state.mail, run, { from, envelope, arrivedAtMs: nowMs }) });
  }
  const delivered = deliverTo(session, { from, envelope });
  return { state: withSession(state, delivered.session), effects: delivered.effects };
};

const loseHost = (state: SignerState, lost: readonly SessionKey[]): SignerStep => {
  const calls = new Set(lost.flatMap((run) => state.sessions.get(run)?.call ?? []));
  const report = { kind: "failure", reason: "the compute host stopped", silent: [] } as const;
  return [...calls].reduce(
    (step, call) => andThen(step, (next) => endWith(next, { call }, report)),
    unchanged(state),
  );
};

/** The public info of an active key, encoded by publicKeyInfoCodec; undefined when there is none. */
export const publicKeyInfoOf = (state: SignerState, keyId: string): Uint8Array | undefined => {
  const key = storedKey(state, keyId);
  return key?.state === "active" ? infoOfShare(key.scheme, key.share).bytes : undefined;
};

/**
 * The public part of a signer's state. Its size does not depend on the number of keys, as coordinators ask for it twice
 * a second.
 */
export interface SignerSummary {
  /** epoch 0 when there is none */
  readonly auxiliary: {
    readonly epoch: number;
    readonly digest: Uint8Array;
    /** pending epochs, the latest PENDING_AUXILIARY_SHOWN_MAX, ascending */
    readonly pending: readonly PendingEpoch[];
  };
  /** number of keys of which it holds a share, pending ones included; `heldKeys` lists them */
  readonly keyCount: number;
  /** number of these keys that need a refresh before it signs with them, as the store was an older copy */
  readonly keysToRefresh: number;
  readonly sessions: readonly {
    /** the session id of the command, in hex */
    readonly session: string;
    readonly protocol: CommandKind;
    readonly stage: string;
  }[];
  /** the peers with which it refuses to sign, ascending */
  readonly quarantined: readonly Quarantined[];
  readonly pool: PoolStatus;
}

export const signerStatus = (state: SignerState): SignerSummary => ({
  auxiliary: {
    epoch: state.auxiliary?.epoch ?? 0,
    digest: state.auxiliary?.digest ?? new Uint8Array(0),
    pending: state.pendingAuxiliary.slice(-PENDING_AUXILIARY_SHOWN_MAX).map(shownEpoch),
  },
  keyCount: state.keyCount,
  keysToRefresh: state.keysToRefresh,
  sessions: [...state.sessions.values()].map(({ given, purpose, stage }) => ({
    session: given,
    protocol: purpose.protocol,
    stage,
  })),
  quarantined: shownQuarantines(state),
  pool: poolStatus(state),
});
