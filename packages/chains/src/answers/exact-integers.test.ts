import fc from "fast-check";
import { parse } from "lossless-json";
import { describe, expect, it } from "vitest";
import { parseExactIntegers } from "./exact-integers.ts";

describe("parsing JSON with exact integers", () => {
  it.each([
    ["18446744073709551615", "18446744073709551615"],
    ["-9223372036854775808", "-9223372036854775808"],
    ["9007199254740993", "9007199254740993"],
    ["1000000000000000", 1_000_000_000_000_000],
    ["0.12345678901234567890", 0.123_456_789_012_345_68],
    ["12345678901234567.5", Number("12345678901234567.5")],
    ["-1e-1234567890123456789", -0],
    ["1E+0000000000000000001", 10],
    ['"18446744073709551615"', "18446744073709551615"],
    ['"a:18446744073709551615,"', "a:18446744073709551615,"],
    [String.raw`"\",18446744073709551615,\\"`, String.raw`",18446744073709551615,\ `.trimEnd()],
  ])("reads %s in a list, in an object, and beside others", (text, value) => {
    expect(parseExactIntegers(`[${text}, ${text}]`)).toEqual([value, value]);
    expect(parseExactIntegers(`{"18446744073709551615":${text} ,"b":99999999999999999}`)).toEqual({
      "18446744073709551615": value,
      b: "99999999999999999",
    });
  });

  it.each(['{"a":18446744073709551615', `["${String.raw`\"`.repeat(200_000)}18446744073709551615`, ""])(
    "refuses what is no JSON",
    (text) => {
      expect(() => parseExactIntegers(text)).toThrow(SyntaxError);
    },
  );

  it("reads the same as a parser that hands over each number", () => {
    const number = fc.oneof(
      fc.bigInt({ min: -(2n ** 64n), max: 2n ** 64n }).map(String),
      fc.double({ noNaN: true, noDefaultInfinity: true }).map((double) => JSON.stringify(double)),
      fc.constantFrom(
        "9007199254740991",
        "-9007199254740992",
        "0.12345678901234567890",
        "12345678901234567E+2",
      ),
    );
    const name = fc.string({ unit: "binary" }).map((each) => JSON.stringify(`${each}"`));
    const numberOf = (digits: string): number | string =>
      /^-?[0-9]+$/.test(digits) && !Number.isSafeInteger(Number(digits)) ? digits : Number(digits);
    fc.assert(
      fc.property(fc.array(fc.tuple(name, number, number, fc.constantFrom("", " ", "\n"))), (entries) => {
        const json = entries.map(
          ([key, one, other, space]) => `{${key}:${one}${space},"b":[${other}${space}]}`,
        );
        const text = `[${json.join(",")}]`;
        expect(parseExactIntegers(text)).toEqual(parse(text, undefined, { parseNumber: numberOf }));
      }),
    );
  });
});
