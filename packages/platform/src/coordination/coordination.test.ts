import { LIFE_BYTES, type Lives, SharedStandings } from "@conclave/cluster";
import { type ScriptedEffect, scriptedMachine } from "@conclave/cluster/testing";
import { fail, ok, problem as problemOf } from "@conclave/custody";
import { type PartyIndex, partyIndex } from "@conclave/threshold";
import { beforeEach, describe, expect, it } from "vitest";
import type { SessionListener } from "../grpc/index.ts";
import { processWorld } from "../world.ts";
import { coordinate } from "./coordination.ts";
import type { Signer } from "./signer.ts";

const SESSION = new Uint8Array(32).fill(7);
const LIFE = new Uint8Array(LIFE_BYTES).fill(1);
const COMMAND = { kind: "auxiliary", epoch: 1, expiresAtMs: 0 } as const;

const party = (value: number): PartyIndex => {
  const index = partyIndex(value);
  if (index === undefined) throw new RangeError(`${value} is no index`);
  return index;
};
const [ONE, NOBODY] = [party(1), party(9)];

let listeners: SessionListener[];
let cancelled: number;
let named: Lives[];
let noted: (readonly [PartyIndex, Uint8Array])[];

const signer = (): Signer => ({
  index: ONE,
  begin: ({ lives }, _request, listener) => {
    named.push(lives);
    listeners.push(listener);
    return {
      cancel: () => {
        cancelled += 1;
      },
    };
  },
  activateKey: async (keyId) =>
    keyId === "refused" ? fail("KeyUnknown", { keyId }) : ok({ state: "active", epoch: 1 }),
  attestKey: async () => fail("KeyUnknown"),
  discardKey: async () => fail("ServiceUnavailable"),
  switchEpoch: async (certificate) => {
    if (certificate.length === 0) throw new Error("it broke");
    return ok({ epoch: 7 });
  },
  getCertificate: async () => ok(undefined),
  getKeyInfo: async () => fail("KeyUnknown"),
  discardPresignatures: async () => ok(0),
  listPresignatures: async () => ok([]),
  getSigned: async () => fail("ServiceUnavailable"),
  getStatus: async () => fail("ServiceUnavailable"),
  listKeys: async () => fail("ServiceUnavailable"),
  watchHealth: () => ({ close: () => undefined }),
  close: () => undefined,
});

const signers = {
  get: (index: PartyIndex) => (index === ONE ? signer() : undefined),
  live: () => [ONE],
  lives: () => new Map([[ONE, LIFE]]),
  noteLife: (index: PartyIndex, life: Uint8Array) => void noted.push([index, life]),
  onChange: () => () => undefined,
};

const call: ScriptedEffect = { kind: "call", signer: ONE, session: SESSION, command: COMMAND };
const observer = { fault: () => undefined };

beforeEach(() => {
  listeners = [];
  cancelled = 0;
  named = [];
  noted = [];
});

describe("a coordination over the signers of a process", () => {
  it("receives a stream's reports, and that the stream broke", () => {
    const { machine, heard } = scriptedMachine([[call]]);
    coordinate(processWorld, new SharedStandings(), machine, signers, observer);
    listeners[0]?.report({ kind: "progress", stage: "auxiliary/1" });
    listeners[0]?.lost("killed");
    expect(heard.map(({ kind }) => kind)).toEqual(["report", "lost"]);
  });

  it("names the lives that signers showed, and hears another from a signer that refuses them", () => {
    const { machine } = scriptedMachine([[call]]);
    coordinate(processWorld, new SharedStandings(), machine, signers, observer);
    expect(named).toEqual([new Map([[ONE, LIFE]])]);
    const problem = problemOf("SignerLifeUnknown", { life: "02".repeat(LIFE_BYTES) });
    listeners[0]?.report({ kind: "refusal", problem });
    expect(noted).toEqual([[ONE, new Uint8Array(LIFE_BYTES).fill(2)]]);
  });

  it("has lost each signer that is not in the roster, and gets no answer of a key from it", () => {
    const { machine, heard } = scriptedMachine([
      [
        { ...call, signer: NOBODY },
        { kind: "activate", signer: NOBODY, keyId: "key" },
      ],
    ]);
    coordinate(processWorld, new SharedStandings(), machine, signers, observer);
    expect(heard.map(({ kind }) => kind)).toEqual(["lost", "unanswered"]);
  });

  it("tells answers, refusals and silence of key calls apart", async () => {
    const ask = (kind: "activate" | "discard", keyId: string): ScriptedEffect => ({
      kind,
      signer: ONE,
      keyId,
    });
    const show = (bytes: number): ScriptedEffect => ({
      kind: "switch",
      signer: ONE,
      keyId: "key",
      certificate: new Uint8Array(bytes),
    });
    const { machine, heard } = scriptedMachine([
      [ask("activate", "key"), ask("activate", "refused"), ask("discard", "key"), show(1), show(0)],
    ]);
    coordinate(processWorld, new SharedStandings(), machine, signers, observer);
    await expect.poll(() => heard.length).toBe(5);
    expect(heard).toEqual(
      expect.arrayContaining([
        { kind: "key-state", signer: ONE, keyId: "key", state: "active", epoch: 1 },
        {
          kind: "refused",
          signer: ONE,
          keyId: "refused",
          problem: expect.objectContaining({ code: "KeyUnknown" }),
        },
        { kind: "unanswered", signer: ONE, keyId: "key" },
        { kind: "switched", signer: ONE, keyId: "key", epoch: 7 },
      ]),
    );
    expect(heard.filter(({ kind }) => kind === "unanswered")).toHaveLength(2);
  });

  it("resolves with the result, and closes what is open when the machine closes", async () => {
    const { machine } = scriptedMachine([[call, { kind: "done", result: "signed" }, { kind: "closed" }]]);
    const run = coordinate(processWorld, new SharedStandings(), machine, signers, observer);
    expect(await run.outcome).toEqual({ kind: "done", value: "signed" });
    await run.closed;
    expect(cancelled).toBe(1);
  });

  it("is stopped when the machine closes without a result", async () => {
    const run = coordinate(
      processWorld,
      new SharedStandings(),
      scriptedMachine([[call], [{ kind: "closed" }]]).machine,
      signers,
      observer,
    );
    run.stop();
    expect(await run.outcome).toEqual({ kind: "stopped" });
  });
});
