import { hexToBytes } from "@noble/hashes/utils.js";
import { expect, it } from "vitest";
import { readStrictDer } from "./der.ts";

const INTEGER = `0220${"11".repeat(32)}`;
const read = (hex: string) => readStrictDer(hexToBytes(hex));

it("r and s are read, and padded to 32 bytes", () => {
  expect(read("3006020101020102")).toEqual({
    compact: hexToBytes(`${"00".repeat(31)}01${"00".repeat(31)}02`),
    isLowS: true,
  });
});

it("s is low up to half the order", () => {
  const half = "7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0";
  expect(read(`3044${INTEGER}0220${half}`)).toMatchObject({ isLowS: true });
  expect(read(`3044${INTEGER}0220${half.slice(0, -1)}1`)).toMatchObject({ isLowS: false });
});

it.each([
  ["another tag", `3144${INTEGER}${INTEGER}`],
  ["a length that is not its own", `3043${INTEGER}${INTEGER}`],
  ["a byte behind it", `3044${INTEGER}${INTEGER}00`],
  ["an integer with another tag", `3044${INTEGER}0320${"11".repeat(32)}`],
  ["an empty integer", `300602000202${"11".repeat(2)}`],
  ["a negative integer", "3006020181020101"],
  ["a zero that nobody needs", "300702020011020101"],
  ["an integer beyond the end", "3006020101020501"],
  ["nothing", ""],
  ["too much", `3050${"0226"}${"11".repeat(38)}${"0226"}${"11".repeat(38)}`],
])("strict DER has no place for %s", (_, hex) => {
  expect(read(hex)).toBe(undefined);
});

it("a number of more than 256 bits is DER, and no signature", () => {
  expect(read(`3046${`0222${"01".repeat(34)}`}${`0220${"11".repeat(32)}`}`)).toBe("out of range");
});
