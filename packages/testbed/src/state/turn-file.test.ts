import { existsSync, mkdtempSync, readdirSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, expect, it } from "vitest";
import { LaunchError } from "../launch-error.ts";
import { TURN_MS, TurnFile } from "./turn-file.ts";

let folder: string;
let file: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "conclave-turn-"));
  file = join(folder, "renewing");
});

const leaveOfCrash = (ageMs: number): void => {
  writeFileSync(file, "a crash left it");
  const changed = new Date(Date.now() - ageMs);
  utimesSync(file, changed, changed);
};

it("one has the turn until it gives it back", () => {
  const [first, second] = [new TurnFile(file), new TurnFile(file)];
  first.take("renewal");
  expect(() => second.take("renewal")).toThrow("another renewal runs");
  first.stillHeld();
  first.release();
  second.take("renewal");
  expect(() => first.stillHeld()).toThrow("another took its turn");
  first.release();
  second.stillHeld();
});

it.each([
  ["long ago", TURN_MS + 1_000],
  ["by a clock that was ahead", -300 * 86_400_000],
])("a turn that was taken %s, and not given back, ends", (_, ageMs) => {
  leaveOfCrash(ageMs);
  const turn = new TurnFile(file);
  turn.take("renewal");
  turn.stillHeld();
  turn.release();
  expect(readdirSync(folder)).toEqual([]);
});

it.each([
  ["a moment ago", 1_000],
  ["by a clock that is a moment ahead", -1_000],
])("a turn that was taken %s does not end", (_, ageMs) => {
  leaveOfCrash(ageMs);
  expect(() => new TurnFile(file).take("renewal")).toThrow("another renewal runs");
  expect(existsSync(file)).toBe(true);
});

it("a turn that cannot be taken for another reason says which, and not that another has it", () => {
  const turn = new TurnFile(join(folder, "missing", "renewing"));
  expect(() => turn.take("renewal")).toThrow(LaunchError);
  expect(() => turn.take("renewal")).toThrow(/the turn cannot be taken .*ENOENT/);
});
