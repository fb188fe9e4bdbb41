import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseExactIntegers } from "../../answers/exact-integers.ts";
import { parseInTurns } from "./parse-in-turns.ts";

/** Depth of the lists in an answer's result. */
const DEPTH = 3;

/** A parser's result for a text, or its refusal. */
const outcome = async (parse: () => unknown): Promise<unknown> => {
  try {
    return { parsed: await parse() };
  } catch (error) {
    return error instanceof SyntaxError ? "no JSON" : error;
  }
};

const expectSame = async (bytes: Buffer, pieceBytes: number): Promise<void> => {
  for (const depth of [1, 2, DEPTH]) {
    const whole = await outcome(() => parseExactIntegers(bytes.toString()));
    expect(await outcome(() => parseInTurns(bytes, depth, pieceBytes))).toEqual(whole);
  }
};

/** Texts that look like JSON syntax, and letters of several bytes. */
const text = fc.oneof(
  fc.string({ unit: "binary" }),
  fc
    .array(
      fc.constantFrom(
        '"',
        "\\",
        ",",
        "[",
        "]",
        "{",
        "}",
        ":",
        "ä",
        "\u2028",
        "\ud83d\ude00",
        "99999999999999999",
      ),
    )
    .map((parts) => parts.join("")),
);
const number = fc.oneof(
  fc.bigInt({ min: -(2n ** 64n), max: 2n ** 64n }).map(String),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((double) => JSON.stringify(double)),
  fc.constantFrom("9007199254740993", "-9007199254740992", "0.12345678901234567890", "12345678901234567e2"),
);
const space = fc.constantFrom("", "", " ", "\n\t", "\r ");
const listed = (open: string, members: readonly string[], close: string, between: string): string =>
  `${open}${between}${members.join(`${between},${between}`)}${between}${close}`;
const { json } = fc.letrec<{ json: string }>((tie) => {
  const key = text.map((name) => JSON.stringify(name));
  const member = fc.tuple(fc.oneof(key, fc.constant('"same"')), tie("json")).map((pair) => pair.join(":"));
  return {
    json: fc.oneof(
      { maxDepth: 5, withCrossShrink: true },
      number,
      key,
      fc.constantFrom("true", "false", "null"),
      fc.tuple(fc.array(tie("json"), { maxLength: 5 }), space).map(([all, at]) => listed("[", all, "]", at)),
      fc.tuple(fc.array(member, { maxLength: 5 }), space).map(([all, at]) => listed("{", all, "}", at)),
    ),
  };
});
const answer = json.map(
  (each) => `{"jsonrpc":"2.0","result":{"blockTime":1,"transactions":[${each},${each}]},"id":1}`,
);

describe("parsing JSON in turns", () => {
  it("K8 reads of any JSON the same as at once, however it is cut", async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(json, answer), fc.integer({ min: 0, max: 40 }), (each, pieceBytes) =>
        expectSame(Buffer.from(each), pieceBytes),
      ),
      { numRuns: 500 },
    );
  });

  it("refuses the same texts as a parser of the whole, where a part is lost, doubled or replaced", async () => {
    const signs = fc.constantFrom(...'[]{},:"\\ 0a-', "", "99999999999999999");
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(json, answer),
        fc.nat(),
        fc.nat({ max: 3 }),
        signs,
        fc.integer({ min: 0, max: 10 }),
        (each, place, lost, put, pieceBytes) => {
          const at = place % (each.length + 1);
          return expectSame(Buffer.from(each.slice(0, at) + put + each.slice(at + lost)), pieceBytes);
        },
      ),
      { numRuns: 1_000 },
    );
  });

  it.each([
    ["[[[1,]]]"],
    ["[[[,1]]]"],
    ["[[[1,,2]]]"],
    ["[[[ ]]]"],
    ["[[[1}]]"],
    ["[[[1],[2]]]"],
    ["[[[1]]],[[[2]]]"],
    ['{"a":{"t":[1]},"a":{"t":[2,3]}}'],
    ['{"a":{"__proto__":[1,18446744073709551615]}}'],
    ['[[["'],
    ['[[["\\'],
    [""],
    ["]]]][[["],
  ])("reads %s the same as at once, or refuses it", async (each) => {
    for (const pieceBytes of [0, 1, 2, 100]) await expectSame(Buffer.from(each), pieceBytes);
  });

  it("reads bytes that are no UTF-8 the same as at once", async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ max: 255 }), (bytes) =>
        expectSame(Buffer.concat([Buffer.from('[[["a","'), bytes, Buffer.from('"]]]')]), 0),
      ),
    );
  });
});
