import { Secret } from "@conclave/threshold";
import { expect, test } from "vitest";
import type { StoredRecord } from "./record.ts";
import { RecordCache } from "./record-cache.ts";

const MOST = 3;

const caching = () => {
  const stored = new Map<string, StoredRecord["value"]>();
  for (const name of ["key/1", "key/2", "key/3", "key/4", "request/1"]) {
    stored.set(name, new Secret(new Uint8Array(Buffer.from(name))));
  }
  const read: string[] = [];
  const isKept = (name: string): boolean => name.startsWith("key/");
  const cache = new RecordCache(
    (name) => {
      read.push(name);
      return stored.get(name);
    },
    isKept,
    MOST,
  );
  return { stored, read, cache };
};

test("a record that was read lately is not read again, and others are not kept", () => {
  const { read, cache, stored } = caching();
  for (const name of ["key/1", "key/1", "request/1", "request/1", "key/9", "key/9"]) {
    expect(cache.read(name)).toBe(stored.get(name));
  }
  expect(read).toEqual(["key/1", "request/1", "request/1", "key/9", "key/9"]);
});

test("so many are kept at most, and the longest unused leaves", () => {
  const { read, cache } = caching();
  for (const name of ["key/1", "key/2", "key/3", "key/1", "key/4"]) cache.read(name);
  expect(cache.size).toBe(MOST);
  read.length = 0;
  for (const name of ["key/1", "key/3", "key/4", "key/2"]) cache.read(name);
  expect(read).toEqual(["key/2"]);
});

test("a record that changed is read again", () => {
  const { cache, stored } = caching();
  cache.read("key/1");
  stored.delete("key/1");
  expect(cache.read("key/1")).toBeDefined();
  cache.changed("key/1");
  expect(cache.read("key/1")).toBeUndefined();
});
