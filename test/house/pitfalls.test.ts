import { describe, expect, it } from "vitest";
import { LONG_TESTS } from "../long-tests.ts";
import { holdsTests, sourcesBelow } from "./source-files.ts";
import { titlesIn } from "./titles.ts";

/** The numbers of mistakes that caused security advisories in other products; SECURITY.md describes them. */
const PITFALLS = Array.from({ length: 23 }, (_, at) => `P${at + 1}`);

const long = LONG_TESTS.map(({ file }) => file);
/** The tests of the gate, and those of commands of their own. */
const tests = sourcesBelow("packages", "services", "test").filter(
  ({ path }) => holdsTests(path) && !path.startsWith("test/house/") && !long.includes(path),
);

/** The pitfalls that a title begins with; invariants may stand between them. */
const numbersIn = (title: string): readonly string[] => {
  const [start = ""] = /^(?:(?:P\d+|INV-\d+) )+/.exec(title) ?? [];
  return start.match(/\bP\d+\b/g) ?? [];
};

const named = tests.flatMap(({ path, text }) =>
  titlesIn(text).flatMap((title) => numbersIn(title).map((number) => ({ number, path }))),
);

describe("pitfalls", () => {
  it.each(PITFALLS)("%s has a test whose title begins with its number", (pitfall) => {
    expect(named.filter(({ number }) => number === pitfall).map(({ path }) => path)).not.toEqual([]);
  });

  it("have no other numbers", () => {
    expect(named.filter(({ number }) => !PITFALLS.includes(number))).toEqual([]);
  });

  it.each([
    ["P7 refuses a digest", ["P7"]],
    ["P6 INV-2 P8 signs once", ["P6", "P8"]],
    ["INV-4 P12 a change", ["P12"]],
    ["refuses P7", []],
    ["P7", []],
  ])("are read from the beginning of a title: %s", (title, numbers) => {
    expect(numbersIn(title)).toEqual(numbers);
  });
});
