import { SWEEP_INTERVAL_MS } from "../limits.ts";
import { askSpending, reportSpending } from "../older-store/spending.ts";
import { sweepPool } from "../presigning/burn.ts";
import { andThen, endWith, type SignerState, type SignerStep, unchanged } from "../state.ts";
import { turnedEndedRuns } from "./ended-runs.ts";
import { forgetPast } from "./forgotten.ts";
import { expireMail } from "./mail.ts";
import { turned } from "./message-ids.ts";

/** Ends every session past its deadline, with the peers that were silent, and forgets old records. */
export const expire = (state: SignerState, nowMs: number): SignerStep => {
  const over = [...state.sessions.values()].filter(({ expiresAtMs }) => expiresAtMs <= nowMs);
  const mail = expireMail(state.mail, state.sessions, nowMs);
  let step: SignerStep = unchanged({ ...state, mail, ended: turnedEndedRuns(state.ended, nowMs) });
  for (const call of new Set(over.map((session) => session.call))) {
    const late = over.filter((session) => session.call === call);
    const waiting = late.filter(({ awaiting }) => awaiting.length > 0);
    const [first] = waiting.toSorted((a, b) => a.phase - b.phase);
    const reason = `the deadline passed in ${(first ?? late[0])?.stage ?? "no session"}`;
    // among several sessions of a call, later ones may wait for a peer that is itself kept waiting
    const phase = first?.phase ?? 0;
    const earliest = waiting.filter((session) => session.phase === phase);
    const silent = [...new Set(earliest.flatMap(({ awaiting }) => awaiting))].sort((a, b) => a - b);
    step = andThen(step, (next) => endWith(next, { call }, { kind: "failure", reason, silent, phase }));
  }
  step = andThen(step, reportSpending);
  step = andThen(step, (next) => askSpending(next, nowMs));
  // a clock that went back leaves the last sweep in the future
  return Math.abs(nowMs - state.sweptAtMs) < SWEEP_INTERVAL_MS
    ? step
    : andThen(
        andThen(step, (next) => sweep(next, nowMs)),
        (next) => sweepPool(next, nowMs),
      );
};

/** Forgets old records, in the store and in memory. */
const sweep = (state: SignerState, nowMs: number): SignerStep => {
  const messageSessions = turned(state.messageSessions, nowMs);
  return forgetPast({ ...state, messageSessions, sweptAtMs: nowMs }, nowMs);
};
