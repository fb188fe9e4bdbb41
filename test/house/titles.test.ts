import { expect, it } from "vitest";
import { titlesIn } from "./titles.ts";

it.each([
  [
    "tests and groups",
    `describe("a", () => {\n  it("b", f);\n  test(\`c \${d}\`, f);\n});`,
    ["a", "b", `c \${d}`],
  ],
  ["tests of a kind", 'test.concurrent("a", f); describe.sequential("b", f);', ["a", "b"]],
  [
    "the rows of a table that go into its title",
    'it.each([["a", "b"], ["c", 1]])("%s fails", f);',
    ["%s fails", "a", "c"],
  ],
  ["rows of one text each", 'it.each(["a", "b"] as const)("%s", f);', ["%s", "a", "b"]],
  [
    "rows with commas and brackets in them",
    'it.each([["a", f(1, [2])], [ "b", g ],])("%s", f);',
    ["%s", "a", "b"],
  ],
  ["rows of objects", 'it.each([{ name: "a", at: 1 }])("$name", f);', ["$name", "a"]],
  ["rows that have a name", 'const rows = [["a", 1]] as const;\ntest.each(rows)("%s", f);', ["%s", "a"]],
  ["typed rows", 'test.each<[string, () => A]>([["a", f]])("%s", f);', ["%s", "a"]],
])("titles are found of %s", (_, text, titles) => {
  expect(titlesIn(text)).toEqual(titles);
});

it.each([
  ["a text somewhere", 'const a = "P7 something";'],
  ["a comment", '// it("P7 something", f);'],
  ["a text that holds a test", "const a = 'it(\"P7 something\", f)';"],
  ["a method of that name", 'pattern.test("P7 something");'],
])("%s is no title", (_, text) => {
  expect(titlesIn(text)).toEqual([]);
});

it("rows are no titles when the title leaves them out", () => {
  expect(titlesIn('it.each([["P7 a", 1]])("fails", f);')).toEqual(["fails"]);
});
