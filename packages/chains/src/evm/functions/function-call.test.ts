import { type AbiFunctionBody, abiFunctionSchema } from "@conclave/custody";
import { Interface } from "ethers";
import { describe, expect, it } from "vitest";
import { decodesWithin } from "./decoded-size.ts";
import { decodeFunctionAnswer, encodeFunctionCall } from "./function-call.ts";

const OWNER = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";
const of = (name: string, inputs: object[], outputs: object[]): AbiFunctionBody =>
  abiFunctionSchema.parse({ type: "function", name, stateMutability: "view", inputs, outputs });

const balanceOf = of("balanceOf", [{ name: "owner", type: "address" }], [{ name: "", type: "uint256" }]);
const pair = [
  { name: "at", type: "uint8[]" },
  { name: "who", type: "address" },
];
const pick = of(
  "pick",
  [
    { name: "pair", type: "tuple", components: pair },
    { name: "all", type: "bool" },
  ],
  [
    { name: "sum", type: "int256" },
    { name: "pairs", type: "tuple[]", components: pair },
  ],
);
const codeOf = (result: ReturnType<typeof encodeFunctionCall>) => (result.ok ? "ok" : result.problem.code);

describe("a call of a contract's function", () => {
  it("is encoded as ethers does, with arguments by name or in their order", () => {
    const ethers = new Interface(JSON.stringify([balanceOf, pick]));
    for (const given of [{ owner: OWNER }, [OWNER]]) {
      expect(encodeFunctionCall(balanceOf, given)).toEqual({
        ok: true,
        value: ethers.encodeFunctionData("balanceOf", [OWNER]),
      });
    }
    expect(encodeFunctionCall(pick, { all: true, pair: { at: ["1", 2], who: OWNER } })).toEqual({
      ok: true,
      value: ethers.encodeFunctionData("pick", [{ at: [1, 2], who: OWNER }, true]),
    });
  });

  it.each<readonly [string, unknown]>([
    ["too few arguments", []],
    ["too many arguments", [OWNER, OWNER]],
    ["another name", { holder: OWNER }],
    ["an address that is none", [`${OWNER}00`]],
    ["an object for an address", [{}]],
  ])("INV-9 is refused with %s", (_, given) => {
    expect(codeOf(encodeFunctionCall(balanceOf, given))).toBe("InvalidBody");
  });

  it.each<readonly [string, unknown]>([
    ["half an integer", [{ at: [1.5], who: OWNER }, true]],
    ["an integer that its type does not hold", [{ at: ["256"], who: OWNER }, true]],
    ["no list where one is", [{ at: 1, who: OWNER }, true]],
    ["no tuple where one is", [7, true]],
    ["a word for a truth", [{ at: [], who: OWNER }, "yes"]],
  ])("INV-9 is refused with %s in a tuple", (_, given) => {
    expect(codeOf(encodeFunctionCall(pick, given))).toBe("InvalidBody");
  });

  it.each<readonly [string, string, unknown]>([
    ["a number for a string", "string", 7],
    ["half a character", "string", "\ud800"],
    ["words for bytes", "bytes", "hello"],
    ["half a byte", "bytes", "0x123"],
    ["too few bytes", "bytes4", "0x010203"],
    ["a number for an address", "address", 7],
    ["an address whose checksum is wrong", "address", OWNER.replace("5aAe", "5aae")],
    ["a number that JSON does not hold exactly", "uint256", 2 ** 53],
    ["an integer in hexadecimal", "uint256", "0x10"],
    ["a negative one without a sign", "uint256", "-1"],
    ["one above a signed one", "int8", "128"],
    ["nothing", "bool", null],
    ["a list of another length", "uint8[2]", ["1"]],
    ["a string for a list", "string[]", "a"],
  ])("INV-9 is refused with %s", (_, type, value) => {
    const one = of("one", [{ name: "it", type }], []);
    expect(encodeFunctionCall(one, [value])).toMatchObject({ problem: { code: "InvalidBody" } });
  });

  it("INV-9 names the place of what does not fit", () => {
    const placeOf = (given: unknown) => {
      const call = encodeFunctionCall(pick, given);
      return call.ok ? "ok" : call.problem.message;
    };
    const where = { at: ["1", "x"], who: OWNER };
    expect(placeOf({ all: true, pair: where })).toBe("calldata.pair.at[1] is not a value of type uint8");
    expect(placeOf([{ ...where, at: [], more: 1 }, true])).toBe(
      'calldata.pair has "more", which is no input',
    );
    expect(placeOf([[[], OWNER, 1], true])).toBe("calldata.pair has 3 values for 2 inputs");
    expect(placeOf({ pair: where })).toBe("calldata lacks all");
  });

  it("is encoded for every type, as ethers does", () => {
    const values: readonly (readonly [string, unknown])[] = [
      ["address[2]", [OWNER, OWNER]],
      ["bool", false],
      ["string", "zwölf"],
      ["bytes", "0x0102"],
      ["bytes3", "0x010203"],
      ["int16[][]", [["-32768"], [], [32767]]],
      ["uint", (2n ** 256n - 1n).toString()],
    ];
    const every = of(
      "every",
      values.map(([type], at) => ({ name: `v${at}`, type })),
      [],
    );
    const given = values.map(([, value]) => value);
    expect(encodeFunctionCall(every, given)).toEqual({
      ok: true,
      value: new Interface(JSON.stringify([every])).encodeFunctionData("every", given),
    });
  });
});

describe("INV-9 K8 the bytes that an answer gives when it is decoded", () => {
  const word = (value: number): string => value.toString(16).padStart(64, "0");
  const text = (bytes: number): string => `${word(bytes)}${"ab".repeat(bytes)}`;
  const inTuple = ["a", "b"].map((name) => ({ name, type: "uint8" }));
  it.each<readonly [string, object, string, number]>([
    ["a value", { type: "uint8" }, word(1), 32],
    ["bytes, with the way to them and their length", { type: "bytes" }, `${word(32)}${text(100)}`, 164],
    ["a list", { type: "uint8[]" }, `${word(32)}${word(3)}${word(1).repeat(3)}`, 160],
    ["a list of a fixed length", { type: "uint8[3]" }, word(1).repeat(3), 96],
    ["a tuple", { type: "tuple", components: inTuple }, word(1).repeat(2), 64],
    [
      "three elements that name the same bytes",
      { type: "bytes[]" },
      `${word(32)}${word(3)}${word(96).repeat(3)}${text(100)}`,
      556,
    ],
  ])("are those of %s", (_, output, answer, bytes) => {
    const { outputs } = of("asked", [], [{ name: "", ...output }]);
    const within = (most: number) => decodesWithin(outputs, `0x${answer}`, most);
    expect([within(bytes), within(bytes - 1)]).toEqual([true, false]);
  });

  it("are 160 KiB at the most", () => {
    const asked = of("asked", [], [{ name: "", type: "bytes[]" }]);
    const sharing = (elements: number) =>
      `0x${word(32)}${word(elements)}${word(32 * elements).repeat(elements)}${text(32_768)}`;
    expect(decodeFunctionAnswer(asked, sharing(4))).toMatchObject({ ok: true });
    expect(decodeFunctionAnswer(asked, sharing(5))).toMatchObject({ ok: false });
  });
});

it("INV-9 K8 a call of more than 128 KiB is refused, as nodes refuse it", () => {
  const store = of("store", [{ name: "it", type: "bytes" }], []);
  const encoded = (bytes: number) => encodeFunctionCall(store, [`0x${"00".repeat(bytes)}`]);
  // the selector, the offset of the bytes and their length take 68 bytes; the bytes fill whole words
  expect(encoded(4_093 * 32)).toMatchObject({ ok: true });
  expect(encoded(4_093 * 32 + 1)).toMatchObject({
    ok: false,
    problem: { code: "InvalidBody", details: { issues: [{ path: "calldata" }] } },
  });
});

describe("the answer of a contract's function", () => {
  it("is shown as JSON: one output as itself, several as a list, integers as digits", () => {
    const ethers = new Interface(JSON.stringify([balanceOf, pick]));
    const one = ethers.encodeFunctionResult("balanceOf", [2n ** 200n]);
    expect(decodeFunctionAnswer(balanceOf, one)).toEqual({ ok: true, value: (2n ** 200n).toString() });
    const several = ethers.encodeFunctionResult("pick", [-1n, [{ at: [7], who: OWNER }]]);
    expect(decodeFunctionAnswer(pick, several)).toEqual({
      ok: true,
      value: ["-1", [{ at: [7], who: OWNER }]],
    });
  });

  it.each(["0x", "0x00", `0x${"ff".repeat(64)}`])(
    "is refused when it is none of the function's: %s",
    (answer) => {
      expect(decodeFunctionAnswer(pick, answer)).toMatchObject({ problem: { code: "ExecutionReverted" } });
    },
  );
});

it("a missing contract and an answer of another function have different errors", () => {
  const messageOf = (answer: string) => {
    const decoded = decodeFunctionAnswer(balanceOf, answer);
    return decoded.ok ? "ok" : decoded.problem.message;
  };
  expect(messageOf("0x")).toBe("there is no contract at the address, or it has no such function");
  expect(messageOf("0x00")).toBe("the contract's answer is not of this function");
});

describe("a function of an ABI", () => {
  const tuple = (components: readonly object[]) => ({ name: "", type: "tuple[]", components });
  it.each<readonly [string, object]>([
    ["that changes something", { stateMutability: "nonpayable" }],
    ["of a type that there is not", { inputs: [{ name: "", type: "uint7" }] }],
    ["of a type that the encoder does not know", { inputs: [{ name: "", type: "function" }] }],
    ["with a tuple of nothing, of which a contract could claim any number", { outputs: [tuple([])] }],
    ["with an array of nothing", { outputs: [{ name: "", type: "uint8[0][]" }] }],
    ["with an array of very many", { outputs: [{ name: "", type: "uint8[4294967295]" }] }],
    ["with components of no tuple", { outputs: [{ name: "", type: "bool", components: pair }] }],
    ["that is too deep", { outputs: [tuple([tuple([tuple([tuple([tuple(pair)])])])])] }],
    ["without a name", { name: "" }],
    ["with more inputs than a contract has", { inputs: Array.from({ length: 65 }, () => pair[1]) }],
  ])("INV-9 is refused %s", (_, change) => {
    expect(abiFunctionSchema.safeParse({ ...balanceOf, ...change }).success).toBe(false);
  });
});
