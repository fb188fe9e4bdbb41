import { problem } from "@conclave/custody";
import { testParty } from "@conclave/threshold/testing";
import { beforeEach, describe, expect, it } from "vitest";
import { coolDown, type Standings, withStanding } from "../coordinator/standings.ts";
import {
  type ScriptedEffect,
  type ScriptedState,
  scriptedMachine,
} from "../testing/ports/scripted-machine.ts";
import { openVirtualWorld, type VirtualWorld } from "../testing/ports/virtual-world.ts";
import { type CoordinationOutcome, type Machine, type Observer, runCoordinator } from "./coordination.ts";
import { SharedStandings } from "./shared-standings.ts";
import type { AnswerOfKey, KeyQuestion, SignerLink, StreamListener } from "./signer-link.ts";

const START_MS = 1_000_000;
const SESSION = new Uint8Array(32).fill(7);
const KEY = "07".repeat(32);
const COMMAND = { kind: "auxiliary", epoch: 1, expiresAtMs: 0 } as const;
const [ONE, NOBODY] = [testParty(1), testParty(9)];

let world: VirtualWorld;
let listeners: StreamListener[];
let questions: { readonly question: KeyQuestion; readonly answered: (answer: AnswerOfKey) => void }[];
let cancelled: number;
let discarded: (readonly string[])[];
let change: () => void;
let live: readonly (typeof ONE)[];
let ends: (CoordinationOutcome<string> | "closed")[];

beforeEach(() => {
  world = openVirtualWorld(START_MS, "coordination");
  listeners = [];
  questions = [];
  cancelled = 0;
  discarded = [];
  live = [ONE];
  ends = [];
});

const link = (): SignerLink => ({
  begin: (signer, _session, _command, listener) => {
    if (signer === NOBODY) listener.lost("it is not in the roster");
    else listeners.push(listener);
    return {
      cancel: () => {
        cancelled += 1;
      },
    };
  },
  ask: (question, answered) => void questions.push({ question, answered }),
  discardPresignatures: (_signer, ids) => void discarded.push(ids),
  lives: () => new Map(),
  live: () => live,
  onChange: (changed) => {
    change = changed;
    return () => {
      change = () => undefined;
    };
  },
});

const run = (
  machine: Machine<ScriptedState, string>,
  standings = new SharedStandings(),
  otherClock: Observer["otherClock"] = () => undefined,
) =>
  runCoordinator(
    world,
    standings,
    machine,
    link(),
    { fault: () => undefined, otherClock },
    { settled: (outcome) => ends.push(outcome), closed: () => ends.push("closed") },
  );

/** A machine that learns standings at its first event, and records the standings at its opening and at each event. */
const learning = (learn: (health: Standings) => Standings) => {
  const seen: Standings[] = [];
  const machine: Machine<ScriptedState, string> = {
    open: ({ health }) => {
      seen.push(health);
      return { state: { at: 1, health }, effects: [call] };
    },
    step: ({ at, health }) => {
      seen.push(health);
      return { state: { at: at + 1, health: at === 1 ? learn(health) : health }, effects: [] };
    },
  };
  return { machine, seen };
};

const call: ScriptedEffect = { kind: "call", signer: ONE, session: SESSION, command: COMMAND };
const done: ScriptedEffect = { kind: "done", result: "signed" };
const closed: ScriptedEffect = { kind: "closed" };

describe("coordinators of one process", () => {
  const rested = (health: Standings) => coolDown(health, ONE, START_MS);
  const reportProgress = (at: number) => listeners[at]?.report({ kind: "progress", stage: "auxiliary/1" });

  it("begin each step with what any of them has learnt", () => {
    const standings = new SharedStandings();
    const [one, other] = [learning(rested), learning((health) => health)];
    run(one.machine, standings);
    run(other.machine, standings);
    reportProgress(0);
    reportProgress(1);
    const learnt = rested(new Map());
    expect(standings.now).toEqual(learnt);
    expect(other.seen).toEqual([new Map(), learnt]);
    const later = learning((health) => health);
    run(later.machine, standings);
    expect(later.seen).toEqual([learnt]);
  });

  it("report each new clock of a signer once", () => {
    const clock = { aheadMs: 5, apartMs: -61_000, reportedAtMs: START_MS, isDoubted: false };
    const { machine } = learning((health) => withStanding(health, ONE, { clock }));
    const said: unknown[] = [];
    run(machine, new SharedStandings(), (...word) => said.push(word));
    reportProgress(0);
    reportProgress(0);
    expect(said).toEqual([[ONE, -61_000]]);
  });
});

describe("the interpreter of coordinators", () => {
  it("turns calls into streams, and what they say into events", () => {
    const { machine, heard } = scriptedMachine([[call]]);
    run(machine);
    listeners[0]?.report({ kind: "progress", stage: "auxiliary/1" });
    listeners[0]?.lost("killed");
    expect(heard).toEqual([
      { kind: "report", signer: ONE, session: KEY, report: { kind: "progress", stage: "auxiliary/1" } },
      { kind: "lost", signer: ONE, session: KEY },
    ]);
  });

  it("takes one event at a time: what an effect brings at once waits for its turn", () => {
    const { machine, heard } = scriptedMachine([
      [
        { ...call, signer: NOBODY },
        { ...call, signer: NOBODY },
      ],
    ]);
    run(machine);
    expect(heard.map(({ kind }) => kind)).toEqual(["lost", "lost"]);
  });

  it("keeps no stream that broke before the call returned: there is nothing to cancel", () => {
    const { machine } = scriptedMachine([[{ ...call, signer: NOBODY }], [closed]]);
    run(machine);
    expect(cancelled).toBe(0);
  });

  it("tells the machine whenever the live signers change", () => {
    const { machine, heard } = scriptedMachine([[]]);
    run(machine);
    live = [];
    change();
    expect(heard).toEqual([{ kind: "live", signers: [] }]);
  });

  it("ticks at the last wake only", () => {
    const { machine, heard } = scriptedMachine([
      [
        { kind: "wake", atMs: 100 },
        { kind: "wake", atMs: 500 },
      ],
    ]);
    run(machine);
    expect([world.step(START_MS + 499), heard]).toEqual([false, []]);
    expect([world.step(START_MS + 500), heard]).toEqual([true, [{ kind: "tick" }]]);
  });

  it("asks of keys, and tells the machine which key of whom was answered", () => {
    const { machine, heard } = scriptedMachine([
      [
        { kind: "activate", signer: ONE, keyId: "a" },
        { kind: "discard", signer: ONE, keyId: "b" },
        { kind: "switch", signer: ONE, keyId: "c", certificate: new Uint8Array(1) },
        { kind: "activate", signer: ONE, keyId: "d" },
      ],
    ]);
    run(machine);
    const refusal = problem("KeyUnknown");
    const answers: readonly AnswerOfKey[] = [
      { kind: "key-state", state: "active", epoch: 1 },
      { kind: "unanswered" },
      { kind: "switched", epoch: 7 },
      { kind: "refused", problem: refusal },
    ];
    for (const [at, answer] of answers.entries()) questions[at]?.answered(answer);
    expect(heard).toEqual([
      { kind: "key-state", signer: ONE, keyId: "a", state: "active", epoch: 1 },
      { kind: "unanswered", signer: ONE, keyId: "b" },
      { kind: "switched", signer: ONE, keyId: "c", epoch: 7 },
      { kind: "refused", signer: ONE, keyId: "d", problem: refusal },
    ]);
  });

  it("has presignatures discarded and waits for no answer", () => {
    const { machine } = scriptedMachine([[{ kind: "discard-presignatures", signer: ONE, ids: ["a", "b"] }]]);
    run(machine);
    expect(discarded).toEqual([["a", "b"]]);
  });

  it("is settled once, and closes what is open when the machine closes", () => {
    run(scriptedMachine([[call, done, closed]]).machine);
    expect(ends).toEqual([{ kind: "done", value: "signed" }, "closed"]);
    expect(cancelled).toBe(1);
  });

  it("is stopped when the machine closes without a result, and hears nothing afterwards", () => {
    const { machine, heard } = scriptedMachine([[call, { kind: "wake", atMs: 1 }], [closed]]);
    run(machine).stop();
    expect(ends).toEqual([{ kind: "stopped" }, "closed"]);
    listeners[0]?.lost("late");
    change();
    expect([world.step(Number.POSITIVE_INFINITY), heard]).toEqual([false, [{ kind: "stop" }]]);
  });
});
