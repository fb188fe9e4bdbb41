import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isUnit } from "./arithmetic/integers.ts";
import { GENERATOR, IDENTITY, multiplyBase, ORDER } from "./group.ts";
import { challenge, encodeField, type Field, hashFields, type ProofContext } from "./transcript.ts";

const context: ProofContext = {
  session: new Uint8Array(32).fill(1),
  epoch: 2,
  prover: 3,
  verifier: 4,
  position: "test",
};
const drawn = (where: ProofContext, fields: readonly Field[], domain = "Π"): bigint =>
  challenge(domain, where, fields).below(1n << 256n);
const hex = (field: Field): string => Buffer.from(encodeField(field)).toString("hex");

const leaf = fc.oneof(
  fc.string({ maxLength: 3 }),
  fc.bigInt({ min: -300n, max: 300n }),
  fc.uint8Array({ maxLength: 3 }),
);
const { tree } = fc.letrec<{ tree: Field }>((tie) => ({
  tree: fc.oneof({ depthSize: "small" }, leaf, fc.array(tie("tree"), { maxLength: 3 })),
}));

/** A text that is equal for two fields only if the fields are equal. */
const shape = (field: Field): string => {
  if (Array.isArray(field)) return `[${field.map(shape).join(",")}]`;
  if (field instanceof Uint8Array) return `bytes(${field.join(" ")})`;
  return typeof field === "string" ? JSON.stringify(field) : `${field}`;
};

describe("the encoding of transcripts", () => {
  test("P3 is injective: two field lists with the same bytes are the same", () => {
    fc.assert(
      fc.property(tree, tree, (a, b) => {
        expect(hex(a) === hex(b)).toBe(shape(a) === shape(b));
      }),
      { numRuns: 3000 },
    );
  });

  test.each<[string, Field, Field]>([
    ["a byte moved over the boundary of two texts", ["ab", "c"], ["a", "bc"]],
    [
      "a byte moved over the boundary of two byte strings",
      [Uint8Array.of(1, 2), Uint8Array.of()],
      [Uint8Array.of(1), Uint8Array.of(2)],
    ],
    ["an element moved out of a nested list", [[1n, 2n], 3n], [[1n], 2n, 3n]],
    ["a list and its only element", [[1n]], [1n]],
    ["an empty list and none", [[], 1n], [1n]],
    ["a number and its negative", 5n, -5n],
    ["a number and its digits", 5n, "5"],
    ["zero and nothing", [0n], []],
    ["a text and its bytes", "a", Uint8Array.of(97)],
    ["a point and its negative", GENERATOR, GENERATOR.negate()],
    ["the identity and an empty text", IDENTITY, ""],
    ["an encoding and what it encodes", "a", encodeField("a")],
  ])("P3 tells %s apart", (_, a, b) => {
    expect(hex(a)).not.toBe(hex(b));
  });

  test("takes small integers as numbers or bigints alike", () => {
    expect(hex(77)).toBe(hex(77n));
  });
});

describe("challenges", () => {
  test("are the same for the same transcript", () => {
    expect(drawn(context, [1n, "x"])).toBe(drawn({ ...context }, [1n, "x"]));
  });

  test.each<[string, ProofContext]>([
    ["session", { ...context, session: new Uint8Array(32).fill(9) }],
    ["epoch", { ...context, epoch: 3 }],
    ["prover", { ...context, prover: 4 }],
    ["verifier", { ...context, verifier: 3 }],
    ["verifier that is all", { ...context, verifier: "all" }],
    ["position", { ...context, position: "text" }],
    ["prover and verifier, exchanged", { ...context, prover: 4, verifier: 3 }],
  ])("P11 differ in another %s", (_, elsewhere) => {
    expect(drawn(elsewhere, [1n])).not.toBe(drawn(context, [1n]));
  });

  test("differ between proofs and between statements", () => {
    const here = drawn(context, [1n, 2n, multiplyBase(7n)]);
    expect(drawn(context, [1n, 2n, multiplyBase(7n)], "Π′")).not.toBe(here);
    expect(drawn(context, [1n, 2n, multiplyBase(8n)])).not.toBe(here);
    expect(drawn(context, [1n, 3n, multiplyBase(7n)])).not.toBe(here);
    expect(drawn(context, [2n, 1n, multiplyBase(7n)])).not.toBe(here);
  });

  test("P4 drawn one after another differ: the stream advances", () => {
    const stream = challenge("Π", context, []);
    const scalars = Array.from({ length: 50 }, () => stream.scalar());
    expect(new Set(scalars).size).toBe(50);
    expect(scalars.filter((value) => value < 0n || value >= ORDER)).toEqual([]);
  });

  test.each([1n, 2n, 3n, 10n, 256n, 257n])("below %i reach every value", (bound) => {
    const stream = challenge("Π", context, [bound]);
    const seen = new Set(Array.from({ length: 4000 }, () => stream.below(bound)));
    expect(seen.size).toBe(Number(bound));
    expect([...seen].filter((value) => value < 0n || value >= bound)).toEqual([]);
  });

  test("symmetric ones reach both ends and nothing beyond", () => {
    const stream = challenge("Π", context, []);
    const seen = new Set(Array.from({ length: 2000 }, () => stream.symmetric(3n)));
    expect([...seen].toSorted((a, b) => Number(a - b))).toEqual([-3n, -2n, -1n, 0n, 1n, 2n, 3n]);
  });

  test("units are prime to the modulus, as many as asked for, also where most values are not", () => {
    const units = challenge("Π", context, []).units(2n * 3n * 5n * 7n, 300);
    expect(units.length).toBe(300);
    expect(units.filter((value) => !isUnit(value, 210n))).toEqual([]);
    expect(new Set(units).size).toBe(48); // φ(210)
  });

  test("P4 bits are fair in every position and independent of their neighbours", () => {
    const draws = 1000;
    const ones = new Array<number>(64).fill(0);
    const equalToNext = new Array<number>(63).fill(0);
    for (let i = 0; i < draws; i++) {
      const bits = challenge("Π", { ...context, epoch: i }, []).bits(64);
      for (const [k, bit] of bits.entries()) {
        ones[k] = (ones[k] ?? 0) + (bit ? 1 : 0);
        if (k < 63) equalToNext[k] = (equalToNext[k] ?? 0) + (bit === bits[k + 1] ? 1 : 0);
      }
    }
    const unfair = [...ones, ...equalToNext].filter((count) => count < 410 || count > 590); // 5.7 standard deviations
    expect(unfair).toEqual([]);
  });
});

describe("digests", () => {
  test("have 32 bytes and depend on domain and fields", () => {
    const digest = hashFields("a", [1n]);
    expect(digest.length).toBe(32);
    expect(hashFields("a", [1n])).toEqual(digest);
    expect(hashFields("b", [1n])).not.toEqual(digest);
    expect(hashFields("a", [2n])).not.toEqual(digest);
  });
});
