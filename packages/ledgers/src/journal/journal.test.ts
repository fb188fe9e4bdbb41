import { appendFileSync, cpSync, mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { LedgerHost } from "../host.ts";
import { HandClock } from "../testing/hand-clock.ts";
import { JournalMismatch, JournalTaken, keepLedger } from "./journal.ts";

interface Tally {
  readonly sums: ReadonlyMap<string, bigint>;
}
interface Entry {
  readonly name: string;
  readonly amount: bigint;
}

let folder: string;
let copies: number;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "conclave-journal-"));
  copies = 0;
});
afterEach(() => rmSync(folder, { recursive: true }));

const advance = (state: Tally, { name, amount }: Entry) => ({
  state:
    amount === 0n ? state : { sums: new Map([...state.sums, [name, (state.sums.get(name) ?? 0n) + amount]]) },
  effects: [],
});

const inner = (name = "tally"): string => join(folder, name);
const start = (at = inner(), ledger = "tally") => {
  const open = (): Tally => ({ sums: new Map() });
  const kept = keepLedger<Tally, Entry>({ folder: at, ledger, open, advance });
  return new LedgerHost<Tally, Entry, never>({ ...kept, advance, clock: new HandClock(1_000) });
};

/** The state that a start finds after a kill at this moment: a copy of the files, without closing them. */
const asKilled = (): string => {
  copies += 1;
  cpSync(inner(), inner(`copy-${copies}`), { recursive: true });
  return inner(`copy-${copies}`);
};

it("a killed ledger goes on where it stood, its shifted clock included", () => {
  const first = start();
  first.apply({ name: "a", amount: 2n ** 64n });
  first.shiftClock(-250);
  first.apply({ name: "a", amount: 1n });
  const second = start(asKilled());
  expect(second.state.sums).toEqual(new Map([["a", 2n ** 64n + 1n]]));
  expect(second.now).toBe(750);
  second.apply({ name: "b", amount: 5n });
  second.stop();
  first.stop();
  expect(start(inner("copy-1")).state.sums.get("b")).toBe(5n);
});

it("a record that a killed process left incomplete is ignored", () => {
  const first = start();
  first.apply({ name: "a", amount: 1n });
  const killed = asKilled();
  const journal = readdirSync(killed).find((name) => name.startsWith("journal-")) ?? expect.fail("none");
  appendFileSync(join(killed, journal), Uint8Array.of(0, 0, 0, 9, 255));
  const second = start(killed);
  expect(second.state.sums).toEqual(new Map([["a", 1n]]));
  second.apply({ name: "a", amount: 1n });
  expect(start(killed).state.sums).toEqual(new Map([["a", 2n]]));
});

it("an event that changes nothing is not recorded", () => {
  const host = start();
  host.apply({ name: "a", amount: 1n });
  const size = (): number => statSync(join(inner(), "journal-1")).size;
  const before = size();
  host.apply({ name: "a", amount: 0n });
  expect(size()).toBe(before);
});

it("after ten thousand records there is a new snapshot, and the old files are gone", () => {
  const host = start();
  for (let count = 0; count < 10_001; count += 1) host.apply({ name: "a", amount: 1n });
  expect(readdirSync(inner()).sort()).toEqual(["journal-2", "snapshot"]);
  expect(start(asKilled()).state.sums.get("a")).toBe(10_001n);
});

it("a kill between the new snapshot and the end of the old records counts nothing twice", () => {
  const host = start();
  host.apply({ name: "a", amount: 1n });
  const before = asKilled();
  start(before).apply({ name: "a", amount: 1n });
  cpSync(join(inner(), "journal-1"), join(before, "journal-1"));
  expect(start(before).state.sums.get("a")).toBe(2n);
});

it("a ledger whose folder another process uses refuses every change, with that reason", () => {
  const first = start();
  first.apply({ name: "a", amount: 1n });
  const second = start();
  expect(() => first.apply({ name: "b", amount: 1n })).toThrow(JournalTaken);
  expect(() => first.shiftClock(1)).toThrow("another process goes on");
  expect([first.state, first.now]).toEqual([{ sums: new Map([["a", 1n]]) }, 1_000]);
  second.apply({ name: "a", amount: 1n });
  expect(start().state.sums).toEqual(new Map([["a", 2n]]));
});

it("a folder of another ledger is refused, and stays as it is", () => {
  start().apply({ name: "a", amount: 1n });
  expect(() => start(inner(), "another")).toThrow(JournalMismatch);
  expect(() => start(inner(), "another")).toThrow(
    "holds the ledger tally (format 1), not another (format 1)",
  );
  expect(start().state.sums.get("a")).toBe(1n);
});
