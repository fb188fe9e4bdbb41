import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { crowdedFolders, longFiles } from "./sizes.ts";
import { foldersIn, holdsTests, pathsBelow, ROOT, sourcesBelow, withoutComments } from "./source-files.ts";
import { titlesIn } from "./titles.ts";

const MOST_LINES = 600;
const MOST_FILES = 20;
/** compiler output, which nobody reads or edits */
const COMPILED = new Set(["packages/testbed/src/contracts/development-token.ts"]);
const VAGUE = /(^|[-/.])(utils?|helpers?|common|manager|misc)([-/.]|$)/i;
const rooms = ["packages", "services"].flatMap((folder) =>
  foldersIn(folder).map((name) => `${folder}/${name}`),
);
const sources = sourcesBelow("packages", "services", "examples", "test");
/** the files of test/house name the forbidden things themselves */
const judged = sources.filter(({ path }) => !path.startsWith("test/house/"));
const tests = judged.filter(({ path }) => holdsTests(path));

const titles = tests.flatMap(({ text }) => titlesIn(text));

describe("files", () => {
  it(`have at most ${MOST_LINES} lines`, () => {
    const written = sources.filter(({ path }) => !COMPILED.has(path));
    expect(longFiles(written, MOST_LINES)).toEqual([]);
  });

  it("that are too long are named", () => {
    const file = (lines: number) => ({ path: "packages/custody/src/a.ts", text: "a\n".repeat(lines) });
    const long = ["packages/custody/src/a.ts has 601 lines, at most 600: it holds more than one idea"];
    expect([longFiles([file(600)], MOST_LINES), longFiles([file(601)], MOST_LINES)]).toEqual([[], long]);
  });

  it(`lie at most ${MOST_FILES} in a folder`, () => {
    expect(crowdedFolders(sources, MOST_FILES)).toEqual([]);
  });

  it("that lie too many in a folder are counted, without tests and without folders below", () => {
    const paths = Array.from({ length: MOST_FILES }, (_, at) => `packages/custody/src/a${at}.ts`);
    const files = [...paths, "packages/custody/src/a.test.ts", "packages/custody/src/key/a.ts"];
    const folders = (all: readonly string[]) =>
      crowdedFolders(
        all.map((path) => ({ path, text: "" })),
        MOST_FILES,
      );
    expect(folders(files)).toEqual([]);
    expect(folders([...files, "packages/custody/src/b.ts"])).toEqual([
      "packages/custody/src holds 21 source files, at most 20: give it rooms",
    ]);
  });

  it("are named by what they hold", () => {
    const vague = pathsBelow("packages", "services", "examples", "test", "proto")
      .filter((path) => VAGUE.test(path))
      .map((path) => `${path} says nothing of what it holds: no utils, helpers, common, manager or misc`);
    expect(vague).toEqual([]);
  });

  it("have no marks of unfinished work", () => {
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

  // workers load a module once for all of their files (`isolate: false`), and a loaded module cannot be replaced
  it("replace no module of ours, and hand in what differs", () => {
    const broken = tests
      .filter(({ text }) => /\bvi\.(mock|doMock)\(/.test(withoutComments(text)))
      .map(({ path }) => `${path} replaces a module, which another file of its worker may have loaded`);
    expect(broken).toEqual([]);
  });

  it("check exact values, not truthiness", () => {
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
