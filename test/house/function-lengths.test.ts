import { describe, expect, it } from "vitest";
import { functionsIn, longFunctions } from "./function-lengths.ts";
import { sourcesBelow } from "./source-files.ts";

const MOST_LINES = 60;

const measured = (text: string) => functionsIn(text).map(({ name, lines }) => [name, lines]);

describe("the length of a function", () => {
  it.each([
    ["an arrow", "const f = (a: A): B => {\n  g();\n};", [["=>", 3]]],
    ["an arrow that is handed on", "list.map((a) => {\n  g();\n});", [["=>", 3]]],
    ["a function", "export function f(a: A): B {\n}", [["f", 2]]],
    ["a generator", "function* f() {\n}", [["f", 2]]],
    ["a method", "class A {\n  async f<T>(a: T): Promise<void> {\n  }\n}", [["f", 2]]],
    ["a constructor", "class A {\n  constructor(a: B) {\n  }\n}", [["constructor", 2]]],
    ["a private method", "class A {\n  #f() {\n  }\n}", [["#f", 2]]],
    ["a method of an object", "const a = {\n  f() {\n  },\n};", [["f", 2]]],
    ["a function that returns an object type", "function f(): { a: string } {\n}", [["f", 2]]],
    ["a function that returns a list of object types", "function f(): Promise<{ a: B }[]> {\n}", [["f", 2]]],
    ["a type guard", "function f(a: A): a is { b: C } {\n}", [["f", 2]]],
  ])("is that of its body: %s", (_, text, expected) => {
    expect(measured(text)).toEqual(expected);
  });

  it.each([
    ["a condition", "if (a) {\n}"],
    ["loops", "for (const a of b) {\n}\nwhile (c) {\n}"],
    ["a catch", "try {\n} catch (error) {\n}"],
    ["a switch with a call in a case", "switch (f(a)) {\n  case g(b): {\n  }\n}"],
    ["an arrow without a body", "const f = (a: A) => ({\n  a,\n});"],
    ["a choice", "const a = b ? f(c) : {\n  d,\n};"],
    ["a signature", "interface A {\n  f(a: B): C;\n}"],
    ["a text that looks like one", 'const a = "function f() {";\nconst b = `() => {`;'],
  ])("%s is none", (_, text) => {
    expect(measured(text)).toEqual([]);
  });

  it("of a function around another holds the other's", () => {
    expect(measured("const f = () => {\n  const g = () => {\n  };\n};")).toEqual([
      ["=>", 4],
      ["=>", 2],
    ]);
  });

  it("leaves out braces in texts, comments and regular expressions", () => {
    expect(measured(`const f = () => {\n  g("}", /}/, \`}\${a}}\`); // }\n};`)).toEqual([["=>", 3]]);
  });

  it.each([
    ["describe", 'describe("a", () => {\n  f();\n});'],
    ["an asynchronous test", 'test("a", async () => {\n  f();\n});'],
    ["a table", 'it.each([[1, () => 2]])("%s", (a) => {\n  f();\n});'],
    ["a typed table", 'test.each<[string, () => A]>([["b", c]])("%s", (a) => {\n  f();\n});'],
  ])("is not asked of tests and groups of tests: %s", (_, text) => {
    expect(measured(text)).toEqual([]);
  });

  it("does not count the tests that a function holds, and counts functions in tests", () => {
    const group = 'const f = () => {\n  it("a", () => {\n    g(() => {\n      h();\n    });\n  });\n};';
    expect(measured(group)).toEqual([
      ["=>", 2],
      ["=>", 3],
    ]);
  });
});

describe("functions", () => {
  it("that are too long are named with file, line and length", () => {
    const body = "  f();\n".repeat(MOST_LINES);
    const file = { path: "packages/custody/src/a.ts", text: `const a = 1;\nconst f = () => {\n${body}};\n` };
    expect(longFunctions([file], MOST_LINES)).toEqual([
      "packages/custody/src/a.ts:2 has a function (=>) of 62 lines; at most 60 are read at one go",
    ]);
  });

  it(`have at most ${MOST_LINES} lines`, () => {
    const sources = sourcesBelow("packages", "services", "examples", "test");
    expect(longFunctions(sources, MOST_LINES)).toEqual([]);
  });
});
