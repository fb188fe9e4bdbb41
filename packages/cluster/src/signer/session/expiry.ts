import type { SignerEffect } from "../effect.ts";
import { MESSAGE_SESSIONS_REMEMBERED_MAX, SWEEP_INTERVAL_MS, SWEEP_RECORDS_MAX } from "../limits.ts";
import { sweepPool } from "../presigning/burn.ts";
import { askSpending, tellSpending } from "../presigning/spending.ts";
import { entriesOf, type PersistentMap, remove } from "../records/persistent-map.ts";
import { RECORDS } from "../records/record.ts";
import { andThen, endWith, type SignerState, type SignerStep, unchanged } from "../state.ts";
import { expireMail } from "./mail.ts";

/** Ends every session that is over its deadline, names the peers that were silent, and forgets old records. */
export const expire = (state: SignerState, nowMs: number): SignerStep => {
  const over = [...state.sessions.values()].filter(({ expiresAtMs }) => expiresAtMs <= nowMs);
  let step: SignerStep = unchanged({ ...state, mail: expireMail(state.mail, state.sessions, nowMs) });
  for (const call of new Set(over.map((session) => session.call))) {
    const late = over.filter((session) => session.call === call);
    const waiting = late.filter(({ awaiting }) => awaiting.length > 0);
    const [first] = waiting.toSorted((a, b) => a.phase - b.phase);
    const reason = `the deadline passed in ${(first ?? late[0])?.stage ?? "no session"}`;
    // of several sessions of a call the others may wait for somebody who is itself kept waiting
    const phase = first?.phase ?? 0;
    const earliest = waiting.filter((session) => session.phase === phase);
    const silent = [...new Set(earliest.flatMap(({ awaiting }) => awaiting))].sort((a, b) => a - b);
    step = andThen(step, (next) => endWith(next, { call }, { kind: "failure", reason, silent, phase }));
  }
  step = andThen(step, tellSpending);
  step = andThen(step, (next) => askSpending(next, nowMs));
  // a clock that jumped back has left the time of the last sweep ahead of it
  return Math.abs(nowMs - state.sweptAtMs) < SWEEP_INTERVAL_MS
    ? step
    : andThen(
        andThen(step, (next) => sweep(next, nowMs)),
        (next) => sweepPool(next, nowMs),
      );
};

const dueIn = <V>(
  map: PersistentMap<V>,
  isDue: (value: V) => boolean,
  max = SWEEP_RECORDS_MAX,
): readonly string[] => {
  const due: string[] = [];
  for (const [key, value] of entriesOf(map)) {
    if (isDue(value)) due.push(key);
    if (due.length >= max) break;
  }
  return due;
};

/** Forgets session ids, tombstones and requests whose time is up; an expired id is refused by its deadline. */
const sweep = (state: SignerState, nowMs: number): SignerStep => {
  const sessions = dueIn(state.remembered, (forgetAtMs) => forgetAtMs <= nowMs);
  const requests = dueIn(state.requests, ({ forgetAtMs }) => forgetAtMs <= nowMs);
  const effects = [
    ...sessions.flatMap((id) => [RECORDS.tombstone.name(id), RECORDS.session.name(id)]),
    ...requests.map((id) => RECORDS.request.name(id)),
  ].map((record): SignerEffect => ({ kind: "erase", record }));
  const { messageSessions } = state;
  const messages = dueIn(
    messageSessions,
    (deadlineMs) => deadlineMs <= nowMs,
    MESSAGE_SESSIONS_REMEMBERED_MAX,
  );
  const quarantine = new Map([...state.quarantine].filter(([, untilMs]) => untilMs > nowMs));
  return {
    state: {
      ...state,
      remembered: sessions.reduce(remove, state.remembered),
      messageSessions: messages.reduce(remove, messageSessions),
      requests: requests.reduce(remove, state.requests),
      quarantine,
      sweptAtMs: nowMs,
    },
    effects,
  };
};
