import { expect, it } from "vitest";
import { bracketsIn, codeOf } from "./code-text.ts";

const blank = (length: number): string => " ".repeat(length);

it.each([
  ["comments", "a(); // }{\nb(); /* { */ c();", `a(); ${blank(5)}\nb(); ${blank(7)} c();`],
  ["texts", `f("{ \\" (", ')')`, `f("${blank(6)}", '${blank(1)}')`],
  ["regular expressions", "x.match(/[/{]\\/{/g)", `x.match(/${blank(7)}/g)`],
  ["an expression after a keyword", "return /}/.test(x)", "return / /.test(x)"],
])("%s are blank, and all else stays where it was", (_, text, code) => {
  expect(codeOf(text)).toBe(code);
});

it("the code inside a template stays, also where a template stands in it", () => {
  expect(codeOf(`\`a{\${ f({ b: \`c\${d}\` }) }}\`;`)).toBe(`\`  \${ f({ b: \` \${d}\` }) } \`;`);
});

it.each([
  ["a division", "a / b / c"],
  ["a division after brackets", "(a) / b[0] / c"],
])("%s is no regular expression", (_, text) => {
  expect(codeOf(text)).toBe(text);
});

it("lines keep their numbers", () => {
  const text = `/*\n{\n*/\n\`\n\${a}\n\`\n"x"`;
  expect(codeOf(text).split("\n")).toHaveLength(text.split("\n").length);
});

it("brackets are paired, and those in texts are none", () => {
  const code = codeOf('f("(", [a]) }');
  expect([...bracketsIn(code)].sort(([a], [b]) => a - b)).toEqual([
    [1, 10],
    [7, 9],
    [9, 7],
    [10, 1],
  ]);
});
