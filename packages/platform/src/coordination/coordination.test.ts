import type { CoordinatorEffect, CoordinatorEvent } from "@conclave/cluster";
import { fail, ok } from "@conclave/custody";
import { type PartyIndex, partyIndex } from "@conclave/threshold";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { SessionListener } from "../grpc/index.ts";
import { processWorld } from "../world.ts";
import { coordinate, type Machine } from "./coordination.ts";
import type { Signer } from "./signer.ts";

const SESSION = new Uint8Array(32).fill(7);
const KEY = "07".repeat(32);
const COMMAND = { kind: "auxiliary", epoch: 1, expiresAtMs: 0 } as const;

const party = (value: number): PartyIndex => {
  const index = partyIndex(value);
  if (index === undefined) throw new RangeError(`${value} is no index`);
  return index;
};
const ONE = party(1);

type Effect = CoordinatorEffect<string>;

/** A machine that says what it is told to: its answers to "open" and to each event, in order. */
const scripted = (script: readonly (readonly Effect[])[]) => {
  const heard: CoordinatorEvent[] = [];
  const machine: Machine<number, string> = {
    open: () => ({ state: 1, effects: script[0] ?? [] }),
    step: (state, event) => {
      heard.push(event);
      return { state: state + 1, effects: script[state] ?? [] };
    },
  };
  return { machine, heard };
};

let listeners: SessionListener[];
let cancelled: number;
let change: () => void;
let live: readonly PartyIndex[];

const signer = (): Signer => ({
  index: ONE,
  begin: (_session, _request, listener) => {
    listeners.push(listener);
    return {
      cancel: () => {
        cancelled += 1;
      },
    };
  },
  activateKey: async () => ok({ state: "active", epoch: 1 }),
  attestKey: async () => fail("KeyUnknown"),
  discardKey: async () => fail("ServiceUnavailable"),
  switchEpoch: async () => ok(7),
  getCertificate: async () => ok(undefined),
  discardPresignatures: async () => ok(0),
  listPresignatures: async () => ok([]),
  getStatus: async () => fail("ServiceUnavailable"),
  listKeys: async () => fail("ServiceUnavailable"),
  watchHealth: () => ({ close: () => undefined }),
  close: () => undefined,
});

const signers = () => ({
  get: (index: PartyIndex) => (index === ONE ? signer() : undefined),
  live: () => live,
  onChange: (changed: () => void) => {
    change = changed;
    return () => {
      change = () => undefined;
    };
  },
});

const call: Effect = { kind: "call", signer: ONE, session: SESSION, command: COMMAND };
const observer = { fault: () => undefined };

beforeEach(() => {
  vi.useFakeTimers();
  listeners = [];
  cancelled = 0;
  live = [ONE];
});
afterEach(() => vi.useRealTimers());

describe("a coordination", () => {
  it("turns calls into streams, and what they say into events", () => {
    const { machine, heard } = scripted([[call]]);
    coordinate(processWorld, machine, signers(), observer);
    listeners[0]?.report({ kind: "progress", stage: "auxiliary/1" });
    listeners[0]?.lost("killed");
    expect(heard).toEqual([
      { kind: "report", signer: ONE, session: KEY, report: { kind: "progress", stage: "auxiliary/1" } },
      { kind: "lost", signer: ONE, session: KEY },
    ]);
  });

  it("takes one event at a time: what an effect brings at once waits for its turn", () => {
    const stranger: Effect = { ...call, signer: party(9) };
    const { machine, heard } = scripted([[stranger, stranger]]);
    coordinate(processWorld, machine, signers(), observer);
    expect(heard.map(({ kind }) => kind)).toEqual(["lost", "lost"]);
  });

  it("tells the machine whenever the live signers change", () => {
    const { machine, heard } = scripted([[]]);
    coordinate(processWorld, machine, signers(), observer);
    live = [];
    change();
    expect(heard).toEqual([{ kind: "live", signers: [] }]);
  });

  it("ticks at the last wake only", () => {
    const { machine, heard } = scripted([
      [
        { kind: "wake", atMs: Date.now() + 100 },
        { kind: "wake", atMs: Date.now() + 500 },
      ],
    ]);
    coordinate(processWorld, machine, signers(), observer);
    vi.advanceTimersByTime(499);
    expect(heard).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(heard).toEqual([{ kind: "tick" }]);
  });

  it("tells answers, refusals and silence of key calls apart", async () => {
    const { machine, heard } = scripted([
      [
        { kind: "activate", signer: ONE, keyId: "key" },
        { kind: "discard", signer: ONE, keyId: "key" },
        { kind: "switch", signer: ONE, keyId: "key", certificate: new Uint8Array(1) },
      ],
    ]);
    coordinate(processWorld, machine, signers(), observer);
    await vi.advanceTimersByTimeAsync(0);
    expect(heard).toEqual([
      { kind: "key-state", signer: ONE, keyId: "key", state: "active", epoch: 1 },
      { kind: "unanswered", signer: ONE, keyId: "key" },
      { kind: "switched", signer: ONE, keyId: "key", epoch: 7 },
    ]);
  });

  it("resolves with the result, and closes what is open when the machine closes", async () => {
    const run = coordinate(
      processWorld,
      scripted([[call, { kind: "done", result: "signed" }, { kind: "closed" }]]).machine,
      signers(),
      observer,
    );
    expect(await run.outcome).toEqual({ kind: "done", value: "signed" });
    await run.closed;
    expect(cancelled).toBe(1);
  });

  it("is stopped when the machine closes without a result, and hears nothing afterwards", async () => {
    const { machine, heard } = scripted([[call], [{ kind: "closed" }]]);
    const run = coordinate(processWorld, machine, signers(), observer);
    run.stop();
    expect(await run.outcome).toEqual({ kind: "stopped" });
    listeners[0]?.lost("late");
    change();
    expect(heard).toEqual([{ kind: "stop" }]);
  });
});
