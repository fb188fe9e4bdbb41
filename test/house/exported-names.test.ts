import { describe, expect, it } from "vitest";
import { deadExports, exportsOf, namesOfTwoPackages, namesTwiceInAPackage } from "./exported-names.ts";
import { isTest, sourcesBelow } from "./source-files.ts";

/** Names that several folders of one package may export, each with the reason. */
const WITHIN_A_PACKAGE: Readonly<Record<string, string>> = {
  round1: "each protocol of threshold has a folder, with one file a round",
  round2: "each protocol of threshold has a folder, with one file a round",
  round3: "each protocol of threshold has a folder, with one file a round",
  round4: "each protocol of threshold has a folder, with one file a round",
};

const everything = sourcesBelow("packages", "services", "examples", "test");
const shipped = everything.filter(({ path }) => /^packages\/[^/]+\/src\//.test(path) && !isTest(path));

const file = (path: string, ...lines: readonly string[]) => ({ path, text: lines.join("\n") });
const [A, B] = ["packages/custody/src/a.ts", "packages/cluster/src/b.ts"];

describe("exported names", () => {
  it("are those that a file declares, however it exports them, and not those that it passes on", () => {
    const declared = file(
      A,
      "export const one = 1;",
      "export async function two() {}",
      "export interface Three {}",
      "export type Four = 4;",
      "export abstract class Five {}",
      "const six = 6; const seven = 7;",
      "export { six, seven as eight };",
      'export { nine } from "./nine.ts";',
      'export * from "./ten.ts";',
      '// export const eleven = "";',
    );
    expect(exportsOf(declared).map(({ name }) => name)).toEqual([
      "one",
      "two",
      "Three",
      "Four",
      "Five",
      "six",
      "eight",
    ]);
  });

  it("of two packages are found, unless there is a reason", () => {
    const files = [file(A, "export type Roster = 1;"), file(B, "export interface Roster {}")];
    expect(namesOfTwoPackages(files)).toEqual([
      `Roster is exported by ${A} and by ${B}: one word, one thing`,
    ]);
    expect(namesOfTwoPackages(files, { Roster: "a framework asks for it" })).toEqual([]);
    expect(namesTwiceInAPackage(files)).toEqual([]);
  });

  it("of two files of a package are found", () => {
    const [one, two] = [
      file(A, "export const f = 1;"),
      file("packages/custody/src/c.ts", "export const f = 2;"),
    ];
    expect(namesTwiceInAPackage([one, two])).toEqual([
      `f is exported by ${A} and by packages/custody/src/c.ts: one word, one thing`,
    ]);
    expect(namesOfTwoPackages([one, two])).toEqual([]);
  });

  it("are never those of two packages", () => {
    expect(namesOfTwoPackages(shipped)).toEqual([]);
  });

  it("are never those of two files of a package", () => {
    expect(namesTwiceInAPackage(shipped, WITHIN_A_PACKAGE)).toEqual([]);
  });
});

describe("dead exports", () => {
  const user = (...lines: readonly string[]) => file("packages/cluster/src/user.test.ts", ...lines);

  it("are found, whether values or types that their own file does not use", () => {
    const dead = file(A, "export const one = 1;", "export type Two = 2;", "const three: Two3 = one;");
    expect(deadExports([dead], [dead])).toEqual([
      `${A} exports one, which nobody imports`,
      `${A} exports Two, which nobody imports`,
    ]);
  });

  it.each([
    ["by its name", 'import { type Other, one } from "@conclave/custody";'],
    ["under another name", 'import { one as two } from "./a.ts";'],
    ["with all of its file", 'import * as a from "./a.ts";\na.one();'],
    ["later", 'const { one } = await import("./a.ts");'],
  ])("are none where a test imports the name %s", (_, line) => {
    const live = file(A, "export const one = 1;");
    expect(deadExports([live], [live, user(line)])).toEqual([]);
  });

  it("are still there where the name is only passed on", () => {
    const dead = file(A, "export const one = 1;");
    expect(deadExports([dead], [dead, user('export { one } from "./a.ts";')])).toHaveLength(1);
  });

  it("are none of types that their own file uses", () => {
    const live = file(A, "export interface Options {}", "export const f = (options: Options) => options;");
    expect(deadExports([live], [live, user('import { f } from "./a.ts";')])).toEqual([]);
  });

  it("do not exist here", () => {
    expect(deadExports(shipped, everything)).toEqual([]);
  });
});
