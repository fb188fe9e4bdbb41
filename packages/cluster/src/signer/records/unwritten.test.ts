import { Secret } from "@conclave/threshold";
import { expect, test } from "vitest";
import { type RecordEffect, UnwrittenRecords } from "./unwritten.ts";

const value = (byte: number) => new Secret(Uint8Array.of(byte));
const store = (record: string, byte: number): RecordEffect => ({
  kind: "store",
  record,
  value: value(byte),
});

const open = () => {
  const stored = new Map([["session/old", value(0)]]);
  const records = new UnwrittenRecords((record) => stored.get(record));
  return { stored, records, of: (record: string) => records.read(record)?.reveal()[0] };
};

test("a record that waits to be written is read in the place of the stored one, until it is", () => {
  const { stored, records, of } = open();
  expect([of("session/old"), of("session/new")]).toEqual([0, undefined]);
  const [bind, erase] = [store("session/new", 1), { kind: "erase", record: "session/old" } as const];
  records.queued(bind);
  records.queued(erase);
  expect([of("session/old"), of("session/new")]).toEqual([undefined, 1]);
  stored.set("session/new", value(1));
  records.written(bind);
  stored.delete("session/old");
  records.written(erase);
  expect([of("session/old"), of("session/new")]).toEqual([undefined, 1]);
  expect(records.size).toBe(0);
});

test("the last of several writes of one record is read, also when an earlier one is done", () => {
  const { stored, records, of } = open();
  const [first, second] = [store("request/1", 1), store("request/1", 2)];
  records.queued(first);
  records.queued(second);
  expect(of("request/1")).toBe(2);
  stored.set("request/1", value(1));
  records.written(first);
  expect(of("request/1")).toBe(2);
});

test("a batch counts as its writes, of which a put comes after an erasure", () => {
  const { records, of } = open();
  const puts = [{ record: "session/old", value: value(3) }];
  const batch: RecordEffect = { kind: "batch", puts, erases: ["session/old", "request/1"], sync: false };
  records.queued(batch);
  expect([of("session/old"), of("request/1")]).toEqual([3, undefined]);
  records.written(batch);
  expect(records.size).toBe(0);
});

test("INV-2 written keys alone are shown: one that waits to be written is not, and one that was replaced is the new one", () => {
  const { stored, records } = open();
  const shown = (): number | undefined => records.readWritten("key/1")?.reveal()[0];
  stored.set("key/1", value(1));
  expect(shown()).toBe(1);
  const replace = store("key/1", 2);
  records.queued(replace);
  expect([shown(), records.read("key/1")?.reveal()[0]]).toEqual([1, 2]);
  stored.set("key/1", value(2));
  records.written(replace);
  expect(shown()).toBe(2);
});
