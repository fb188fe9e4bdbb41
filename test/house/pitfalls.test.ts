import { describe, expect, it } from "vitest";
import { holdsTests, sourcesBelow } from "./source-files.ts";

/** The mistakes that became advisories elsewhere: SECURITY.md tells which they are. */
const PITFALLS = Array.from({ length: 23 }, (_, at) => `P${at + 1}`);

const tests = sourcesBelow("packages", "services", "test").filter(
  ({ path }) => holdsTests(path) && !path.startsWith("test/house/"),
);

/** Titles of tests and of groups of tests, and the rows of tables of tests: texts that begin with a pitfall's number. */
const named = tests.flatMap(({ path, text }) =>
  [...text.matchAll(/["'`](P\d+)( P\d+)* [^"'`]/g)].flatMap((match) =>
    [...match[0].matchAll(/\bP\d+\b/g)].map(([number]) => ({ number, path })),
  ),
);

describe("pitfalls", () => {
  it.each(PITFALLS)("%s has a test that bears its number", (pitfall) => {
    expect(named.filter(({ number }) => number === pitfall).map(({ path }) => path)).not.toEqual([]);
  });

  it("have no other numbers", () => {
    expect(named.filter(({ number }) => !PITFALLS.includes(number))).toEqual([]);
  });
});
