import { describe, expect, it } from "vitest";
import { importCycles } from "./cycles.ts";
import { sourcesBelow } from "./source-files.ts";

const file = (name: string, ...lines: readonly string[]) => ({
  path: `packages/custody/src/${name}.ts`,
  text: lines.join("\n"),
});
const circle = (...names: readonly string[]): string =>
  `${names.map((name) => `packages/custody/src/${name}.ts`).join(" imports ")}: a circle, which nobody can read from one end`;

describe("import cycles", () => {
  it.each([
    ["values", 'import { b } from "./b.ts";', 'import { a } from "./a.ts";'],
    ["types", 'import type { B } from "./b.ts";', 'import { type A } from "./a.ts";'],
    ["exports that pass on", 'export * from "./b.ts";', 'export type { A } from "./a.ts";'],
    ["modules that are loaded later", 'await import("./b.ts");', 'import "./a.ts";'],
    ["the package's own name", 'import { b } from "./b.ts";', 'import { a } from "@conclave/custody/a";'],
  ])("of %s are found", (_, a, b) => {
    expect(importCycles([file("a", a), file("b", b)])).toEqual([circle("a", "b", "a")]);
  });

  it("of three files, and of a file with the index, are found once", () => {
    const three = [
      file("a", 'import "./b.ts";'),
      file("b", 'import "./c.ts";'),
      file("c", 'import "./a.ts";'),
    ];
    expect(importCycles(three)).toEqual([circle("a", "b", "c", "a")]);
    const index = [
      file("a", 'import { b } from "@conclave/custody";'),
      file("index", 'export * from "./a.ts";'),
    ];
    expect(importCycles(index)).toEqual([circle("a", "index", "a")]);
  });

  it("are not found in a chain of files, in comments, or through a started worker", () => {
    const line = [
      file("a", 'import "./b.ts";'),
      file("b", '// import "./a.ts";', 'new URL("./a.ts", import.meta.url);'),
    ];
    expect(importCycles(line)).toEqual([]);
  });

  it("do not exist here", () => {
    expect(importCycles(sourcesBelow("packages", "services", "examples", "test"))).toEqual([]);
  });
});
