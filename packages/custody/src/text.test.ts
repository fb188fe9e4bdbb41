import { describe, expect, it } from "vitest";
import { isPlainText, shortTexts } from "./text.ts";

describe("INV-9 plain text", () => {
  it.each([["a"], [""], ["é𝄞 \u{1F600}"], ["\uFEFF"]])("is %j", (text) => {
    expect(isPlainText(text)).toBe(true);
  });

  it.each([
    ["a NUL", "a\0"],
    ["the first half of a pair", "\uD834"],
    ["the second half of a pair", "a\uDD1E"],
    ["two halves in the wrong order", "\uDD1E\uD834"],
  ])("holds no %s", (_, text) => {
    expect(isPlainText(text)).toBe(false);
  });
});

describe("INV-9 K8 a list of short texts", () => {
  const texts = shortTexts(4, 3);

  it.each([[[]], [["a"]], [["abcd", "é", "\u{1F600}"]]])("takes %j", (list) => {
    expect(texts.parse(list)).toEqual(list);
  });

  it.each([
    ["an empty text", ["a", ""], [1]],
    ["a text that is too long", ["abcde"], [0]],
    ["a text that cannot be stored", ["a", "b", "\0"], [2]],
    ["a number", ["a", 1], [1]],
    ["too many", ["a", "b", "c", "d"], []],
  ])("refuses %s, and says where", (_, list, path) => {
    expect(texts.safeParse(list).error?.issues.map((issue) => issue.path)).toEqual([path]);
  });
});
