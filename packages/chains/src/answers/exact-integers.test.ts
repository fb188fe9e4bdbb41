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
});
