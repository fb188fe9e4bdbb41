import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { foldersIn, holdsTests, pathsBelow, ROOT, sourcesBelow, withoutComments } from "./source-files.ts";

const MOST_LINES = 400;
/** made by a compiler, nobody reads or edits them */
const COMPILED = new Set(["packages/testbed/src/contracts/development-token.ts"]);
const VAGUE = /(^|[-/.])(utils?|helpers?|common|manager|misc)([-/.]|$)/i;
const rooms = ["packages", "services"].flatMap((folder) =>
  foldersIn(folder).map((name) => `${folder}/${name}`),
);
const sources = sourcesBelow("packages", "services", "examples", "test");
/** the rules themselves name what they forbid */
const judged = sources.filter(({ path }) => !path.startsWith("test/house/"));
const tests = judged.filter(({ path }) => holdsTests(path));

/** The titles of all tests and groups of tests. */
const titles = tests.flatMap(({ text }) =>
  [...text.matchAll(/\b(?:it|test|describe)(?:\.each\([\s\S]*?\))?\(\s*["'`]([^"'`]*)/g)].map(
    (match) => match[1] ?? "",
  ),
);

describe("files", () => {
  it(`stay under ${MOST_LINES} lines`, () => {
    const long = sources
      .filter(({ path }) => !COMPILED.has(path))
      .map(({ path, text }) => ({ path, lines: text.split("\n").length }))
      .filter(({ lines }) => lines > MOST_LINES)
      .map(({ path, lines }) => `${path} has ${lines} lines: it holds more than one idea`);
    expect(long).toEqual([]);
  });

  it("are named by what they hold", () => {
    const vague = pathsBelow("packages", "services", "examples", "test", "proto")
      .filter((path) => VAGUE.test(path))
      .map((path) => `${path} says nothing of what it holds: no utils, helpers, common, manager or misc`);
    expect(vague).toEqual([]);
  });

  it("leave nothing for later", () => {
    const marks = /\b(TODO|FIXME|XXX|HACK)\b/;
    const unfinished = judged
      .filter(({ text }) => marks.test(text))
      .map(({ path }) => `${path} has an unfinished mark`);
    expect(unfinished).toEqual([]);
  });

  it("do not silence the compiler", () => {
    const silence = /\bas any\b|<any>|:\s*any(\[\])?\s*[;,)=|&]/;
    const silent = judged
      .filter(({ path }) => !path.endsWith(".d.ts"))
      .filter(
        ({ text }) => /@ts-(ignore|expect-error|nocheck)/.test(text) || silence.test(withoutComments(text)),
      )
      .map(({ path }) => `${path} silences the compiler`);
    expect(silent).toEqual([]);
  });
});

describe("processes", () => {
  it("end themselves in main.ts only", () => {
    const broken = sourcesBelow("packages", "services")
      .filter(({ path }) => !/(^|\/)main\.ts$/.test(path))
      .filter(({ text }) => /\bprocess\.exit\s*\(/.test(withoutComments(text)))
      .map(({ path }) => `${path} calls process.exit; only a main.ts may`);
    expect(broken).toEqual([]);
  });
});

describe("tests", () => {
  it("are all run", () => {
    const broken = tests
      .filter(({ text }) => /\b(it|test|describe)\.(skip|only|todo|fails)\b/.test(withoutComments(text)))
      .map(({ path }) => `${path} skips or singles out a test`);
    expect(broken).toEqual([]);
  });

  it("check something exact", () => {
    const broken = tests
      .filter(({ text }) => /\.toBe(Truthy|Falsy)\(/.test(withoutComments(text)))
      .map(({ path }) => `${path} uses toBeTruthy or toBeFalsy, which nearly everything passes`);
    expect(broken).toEqual([]);
  });
});

describe("documents", () => {
  it.each(rooms)("%s has a README that says what it must never do", (room) => {
    const file = join(ROOT, room, "README.md");
    expect(existsSync(file), `${room} has no README.md`).toBe(true);
    expect(readFileSync(file, "utf8")).toMatch(/never/i);
  });

  it("claim no invariant without a test that carries its number", () => {
    const claimed = new Set(
      [...readFileSync(join(ROOT, "ARCHITECTURE.md"), "utf8").matchAll(/^\| (INV-\d+) \|/gm)].map(
        (match) => match[1],
      ),
    );
    const untested = [...claimed].filter(
      (name) => !titles.some((title) => new RegExp(`\\b${name}\\b`).test(title)),
    );
    expect(claimed.size).toBeGreaterThan(0);
    expect(untested).toEqual([]);
  });
});
