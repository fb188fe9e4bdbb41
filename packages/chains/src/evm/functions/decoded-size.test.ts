import { abiFunctionSchema } from "@conclave/custody";
import { AbiCoder } from "ethers";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decodesWithin } from "./decoded-size.ts";
import { decodeFunctionAnswer } from "./function-call.ts";

const of = (...outputs: object[]) =>
  abiFunctionSchema.parse({
    type: "function",
    name: "asked",
    stateMutability: "view",
    inputs: [],
    outputs: outputs.map((output) => ({ name: "", ...output })),
  });
const word = (value: number): string => value.toString(16).padStart(64, "0");

/** An array whose elements all point to one encoded value. */
const sharing = (elements: number, value: string): string =>
  `0x${word(32)}${word(elements)}${word(32 * elements).repeat(elements)}${value}`;
const LONG = `${word(65_536)}${"ab".repeat(65_536)}`;

describe("the values in a decoded answer", () => {
  it.each([
    ["bytes[]", sharing(2_000, LONG)],
    ["string[]", sharing(2_000, LONG)],
    ["uint8[][]", sharing(400, `${word(400)}${word(1).repeat(400)}`)],
    ["bytes[99]", `0x${word(32)}${word(99 * 32).repeat(99)}${LONG}`],
    ["uint8[]", `0x${word(32)}${"f".repeat(64)}`],
    ["uint8[99][99][99]", `0x${word(1)}`],
  ])("is counted before, and refused where a %s would fill the memory", (type, answer) => {
    const decoded = decodeFunctionAnswer(of({ type }), answer);
    expect(decoded.ok ? "ok" : decoded.problem.message).toContain("holds more than 163840 bytes");
  });

  it("is as much as the answer has for every honest one, of any types", () => {
    const bytes = fc.uint8Array({ maxLength: 70 }).map((some) => `0x${Buffer.from(some).toString("hex")}`);
    const values = fc.record({
      texts: fc.array(fc.array(fc.string({ maxLength: 40 }), { maxLength: 4 }), { maxLength: 4 }),
      pairs: fc.array(fc.tuple(bytes, fc.tuple(fc.nat(255), fc.boolean())), { maxLength: 4 }),
      fixed: fc.tuple(bytes, bytes),
    });
    const pair = [
      { name: "", type: "bytes" },
      { name: "", type: "tuple", components: ["uint8", "bool"].map((type) => ({ name: "", type })) },
    ];
    const { outputs } = of(
      { type: "string[][]" },
      { type: "tuple[]", components: pair },
      { type: "bytes[2]" },
      { type: "uint8" },
    );
    fc.assert(
      fc.property(values, ({ texts, pairs, fixed }) => {
        const types = ["string[][]", "tuple(bytes,tuple(uint8,bool))[]", "bytes[2]", "uint8"];
        const answer = AbiCoder.defaultAbiCoder().encode(types, [texts, pairs, fixed, 7]);
        const bytesOfAnswer = answer.length / 2 - 1;
        expect(decodesWithin(outputs, answer, bytesOfAnswer)).toBe(true);
        // padding is not counted: at most 31 bytes for each bytes or string
        const padded = 31 * (texts.flat().length + pairs.length + fixed.length);
        expect(decodesWithin(outputs, answer, bytesOfAnswer - padded - 1)).toBe(false);
      }),
    );
  });
});
