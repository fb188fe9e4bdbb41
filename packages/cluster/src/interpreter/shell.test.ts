import { fail } from "@conclave/custody";
import { Secret } from "@conclave/threshold";
import { testParties, testParty } from "@conclave/threshold/testing";
import { describe, expect, test } from "vitest";
import type { CallId } from "../control/session-key.ts";
import type { SignerConfig } from "../signer/config.ts";
import type { SignerEvent } from "../signer/event.ts";
import { UnwrittenRecords } from "../signer/records/unwritten.ts";
import { signerStatus } from "../signer/signer.ts";
import { openVirtualWorld } from "../testing/ports/virtual-world.ts";
import { openAlone, TEST_LIVES } from "../testing/signer-input.ts";
import { Shell, type SignerPorts } from "./shell.ts";

const START_MS = 1_000_000;
const PARTIES = testParties(3);
const signerConfig: SignerConfig = {
  self: testParty(1),
  secrets: new Secret({ identity: new Uint8Array(32).fill(1), encryption: new Uint8Array(32).fill(1) }),
  roster: new Map(
    PARTIES.map((index) => [
      index,
      {
        id: `signer-${index}`,
        identity: new Uint8Array(32).fill(index),
        encryption: new Uint8Array(32).fill(index),
      },
    ]),
  ),
  threshold: 2,
  clusterId: "test",
  parameters: "INSECURE-TEST",
  authorityKey: new Uint8Array(32),
  keyImport: "refused",
  keyExport: "refused",
  reader: {
    read: () => fail("TransactionUnreadable"),
    judgeMessage: () => fail("TransactionUnreadable"),
    readContent: () => fail("TypedDataInvalid"),
    excludes: () => false,
    exclusionOfNonce: () => new Uint8Array(0),
  },
};

const isCall = (text: string): text is CallId => text.length > 0;
const call = (text: string): CallId => {
  if (!isCall(text)) throw new Error("no call");
  return text;
};

/** Begins auxiliary generation, the shortest way to a store that other effects wait for. */
const beginAuxiliary = (name: string, fill: number): SignerEvent => ({
  kind: "begin",
  call: call(name),
  session: new Uint8Array(32).fill(fill),
  lives: TEST_LIVES,
  command: { kind: "auxiliary", epoch: 1, expiresAtMs: START_MS + 60_000 },
});

/** Ports that record what they did; the test decides when a store ends. */
const recording = () => {
  const done: string[] = [];
  const stores: {
    readonly record: string;
    readonly finish: () => void;
    readonly break: (error: Error) => void;
  }[] = [];
  const ports: SignerPorts = {
    store: ({ record }) =>
      new Promise((resolve, reject) => {
        stores.push({ record, finish: resolve, break: reject });
      }),
    erase: async (record) => {
      done.push(`erase ${record}`);
    },
    batch: async ({ puts, erases }) => {
      done.push(`batch ${[...puts.map(({ record }) => record), ...erases].join(" ")}`);
    },
    forget: (untilMs) => done.push(`forget ${untilMs}`),
    send: (to) => done.push(`send ${to}`),
    primes: () => done.push("primes"),
    compute: (_, task) => done.push(`compute ${task.kind}`),
    prepare: () => done.push("prepare"),
    drop: () => done.push("drop"),
    alarm: ({ signed }) => done.push(`alarm ${signed.count}`),
    report: (to, report) => done.push(`report ${to} ${report.kind}`),
  };
  return { done, stores, ports };
};

const never = (error: unknown): void => {
  throw new Error("the shell failed", { cause: error });
};

/** @param authorisedAtMs date of the authority's last accepted signature, up to which the signer forgets */
const open = (ports: SignerPorts, failed = never, authorisedAtMs?: number): Shell => {
  const records = new UnwrittenRecords(() => undefined);
  return new Shell(
    openVirtualWorld(START_MS, "shell"),
    { ...openAlone(signerConfig, [], records.read).state, authorisedAtMs },
    records,
    ports,
    failed,
  );
};

describe("the shell", () => {
  test("does nothing that follows a store before the store is durable (INV-2)", async () => {
    const { done, stores, ports } = recording();
    const shell = open(ports);
    shell.dispatch(beginAuxiliary("a", 1));
    expect([stores.length, done]).toEqual([1, []]);
    stores[0]?.finish();
    await shell.settled();
    expect(done).toEqual(["report a progress", "primes"]);
  });

  test("shows nothing of an event whose store is not durable: what it made may be lost, and a receipt would be out", async () => {
    const { stores, ports } = recording();
    const shell = open(ports);
    const shown = () => signerStatus(shell.durableState).sessions.length;
    shell.dispatch(beginAuxiliary("a", 1));
    shell.dispatch({ kind: "tick" });
    expect([signerStatus(shell.state).sessions.length, shown()]).toEqual([1, 0]);
    stores[0]?.finish();
    await shell.settled();
    expect(shown()).toBe(1);
  });

  test("keeps the order over events: a later event's effects wait for an earlier one's store", async () => {
    const { done, stores, ports } = recording();
    const shell = open(ports);
    shell.dispatch(beginAuxiliary("a", 1));
    shell.dispatch({ kind: "discard-key", call: call("b"), keyId: "nobody's" });
    expect(done).toEqual([]);
    stores[0]?.finish();
    await shell.settled();
    expect(done).toEqual(["report a progress", "primes", "report b key-state"]);
  });

  test("INV-2 the state machine sees what waits to be written: a session id is used from the event on that begins it", async () => {
    const { done, stores, ports } = recording();
    const shell = open(ports);
    shell.dispatch(beginAuxiliary("a", 1));
    shell.dispatch(beginAuxiliary("b", 1));
    stores[0]?.finish();
    await shell.settled();
    expect(stores).toHaveLength(1);
    expect(done).toEqual(["report a progress", "primes", "report b refusal"]);
  });

  test("waits for nothing when it forgets what is past", async () => {
    const { done, ports } = recording();
    const shell = open(ports, never, START_MS);
    shell.dispatch({ kind: "tick" });
    await shell.settled();
    const asking = ["send 2", "send 3"]; // asks the peers to confirm the store
    expect(done).toEqual([...asking, "batch forgotten/requests", expect.stringMatching(/^forget [0-9]+$/)]);
  });

  test("carries out what the state machine asked for at its start before any event, batches in their order", async () => {
    const { done, stores, ports } = recording();
    const shell = open(ports);
    const value = new Secret(new Uint8Array(1));
    shell.begin([
      { kind: "batch", puts: [{ record: "spent/1", value }], erases: ["presignature/1"], sync: true },
    ]);
    shell.dispatch(beginAuxiliary("a", 1));
    await expect.poll(() => stores.length).toBe(1);
    stores[0]?.finish();
    await shell.settled();
    expect(done).toEqual(["batch spent/1 presignature/1", "report a progress", "primes"]);
  });

  test("is done when the event is dispatched, where ports write at once", () => {
    const { done, ports } = recording();
    const atOnce = (what: string) => () => {
      done.push(what);
      return undefined;
    };
    const shell = open({ ...ports, store: atOnce("store"), batch: atOnce("batch") });
    shell.dispatch(beginAuxiliary("a", 1));
    expect(done).toEqual(["store", "report a progress", "primes"]);
    expect(signerStatus(shell.durableState).sessions).toHaveLength(1);
  });

  test("waits for what takes time, where some ports write at once and some later", async () => {
    const { done, stores, ports } = recording();
    const batch = () => {
      done.push("batch");
      return undefined;
    };
    const shell = open({ ...ports, batch }, never, START_MS);
    shell.dispatch(beginAuxiliary("a", 1));
    shell.dispatch({ kind: "tick" });
    expect(done).toEqual([]);
    stores[0]?.finish();
    await shell.settled();
    expect(done).toEqual([
      ...["report a progress", "primes", "send 2", "send 3", "batch"],
      expect.stringMatching(/^forget [0-9]+$/),
    ]);
  });

  test("does nothing any more once ports threw, and says so once", async () => {
    const { done, ports } = recording();
    const failures: unknown[] = [];
    const broken = new Error("the disk is full");
    const store = () => {
      throw broken;
    };
    const shell = open({ ...ports, store }, (error) => failures.push(error));
    shell.dispatch(beginAuxiliary("a", 1));
    await shell.settled();
    shell.dispatch(beginAuxiliary("b", 2));
    expect([done, failures]).toEqual([[], [broken]]);
  });

  test("does nothing any more once a store has failed, and says so once", async () => {
    const { done, stores, ports } = recording();
    const failures: unknown[] = [];
    const shell = open(ports, (error) => failures.push(error));
    const broken = new Error("the disk is full");
    shell.dispatch(beginAuxiliary("a", 1));
    stores[0]?.break(broken);
    await shell.settled();
    shell.dispatch(beginAuxiliary("b", 2));
    expect([done, failures]).toEqual([[], [broken]]);
  });

  test("stops when the state machine finds an invariant broken", () => {
    const { ports } = recording();
    const failures: unknown[] = [];
    const shell = open(ports, (error) => failures.push(error));
    const begin = beginAuxiliary("a", 1);
    shell.dispatch(begin);
    const run = [...shell.state.sessions.keys()][0];
    if (run === undefined) throw new Error("no session");
    const signature = { r: 1n, s: 1n, recovery: 0 } as const;
    shell.dispatch({ kind: "computed", session: run, result: { kind: "signature", signature, send: [] } });
    expect(failures.map(String)).toEqual(["Error: a session that signs is one of a signing call"]);
  });
});
