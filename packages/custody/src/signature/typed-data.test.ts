import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { typedDataSchema } from "./typed-data.ts";

const TYPES = { Note: [{ name: "text", type: "string" }] };
const DATA = { primaryType: "Note", types: TYPES, domain: { name: "d" }, message: { text: "a" } };

/** The defects of typed data with these changes: path and message of each. */
const problems = (changes: object): readonly (readonly [string, string])[] =>
  typedDataSchema
    .safeParse({ ...DATA, ...changes })
    .error?.issues.map(({ path, message }) => [path.join("."), message] as const) ?? [];

/** The bytes of a message's keys and texts in JSON, without punctuation. */
const bytesOf = (...texts: readonly string[]): number =>
  texts.reduce((sum, text) => sum + new TextEncoder().encode(JSON.stringify(text)).length, 0);

const MOST = 48 * 1024;

describe("INV-9 K8 typed data", () => {
  it("is taken as clients send it", () => {
    expect(problems({})).toEqual([]);
  });

  it("with types that are too long is refused before any of their fields is read", () => {
    const bad = { name: "no name", type: "no type".repeat(100) };
    const types = { Note: Array.from({ length: 60 }, () => bad) };
    expect(problems({ types })).toEqual([["types", "is longer than 16384 characters"]]);
  });

  it.each([
    ["nothing", undefined],
    ["a text", "Note"],
    ["null", null],
    ["a list", [TYPES]],
  ])("with %s as its types is refused there", (_, types) => {
    expect(problems({ types }).map(([path]) => path)).toEqual(["types"]);
  });

  it("counts each text as JSON writes it", () => {
    const anyText = fc
      .string({ unit: "binary", maxLength: 40 })
      .filter((text) => !text.includes("\0") && text.isWellFormed());
    fc.assert(
      fc.property(anyText, (text) => {
        const room = MOST - bytesOf("a", "b", text) - bytesOf("");
        const fits = { a: text, b: "x".repeat(room) };
        const over = { a: text, b: "x".repeat(room + 1) };
        expect(problems({ message: fits })).toEqual([]);
        expect(problems({ message: over })).toEqual([["message", `holds more than ${MOST} bytes of text`]]);
      }),
      { examples: [['"'], ["\\"], ["\u007f"], ["\n"], ["é"], ["\u{1F600}"], [" !#[]~"]] },
    );
  });
});
