import { describe, expect, test } from "vitest";
import { evmContentSchema, evmTransactionSchema, evmTransferSchema } from "./act.ts";

const to = `0x${"ab".repeat(20)}`;
const transfer = { kind: "Native", to, amount: "5" };
const call = { kind: "Call", to, value: "5", data: "" };
const message = { kind: "message", message: "00ff" };
const typedData = {
  primaryType: "Box",
  types: { Box: [{ name: "it", type: "bool" }] },
  domain: {},
  message: { it: true },
};

test.each([
  ["a transfer with an unknown field", evmTransferSchema, { ...transfer, memo: "x" }],
  ["a transfer to nobody", evmTransferSchema, { kind: "Native", amount: "5" }],
  ["a call with an unknown field", evmTransactionSchema, { ...call, gas: "1" }],
  ["bytes with an unknown field", evmTransactionSchema, { kind: "Exact", unsigned: "02c0", value: "1" }],
])("INV-3 an authorised act is refused by its family when it is %s", (_name, schema, content) => {
  expect(schema.safeParse(content).success).toBe(false);
});

describe("a signature by an EVM key", () => {
  test.each([
    ["a message", message],
    ["typed data", { kind: "eip712", typedData }],
    ["a transaction of a network", { kind: "transaction", network: "Ethereum", transaction: "02c0" }],
  ])("is of %s as it stands", (_name, content) => {
    expect(evmContentSchema.parse(content)).toEqual(content);
  });

  test.each([
    ["a hash that calls itself a message", { kind: "message", hash: "5a".repeat(32) }],
    ["a message with more than it says", { ...message, digest: "00" }],
    ["a message in a second spelling", { kind: "message", message: "0xff" }],
    [
      "typed data without the type that is signed",
      { kind: "eip712", typedData: { ...typedData, primaryType: undefined } },
    ],
    ["a transaction without a network", { kind: "transaction", transaction: "02c0" }],
  ])("INV-3 is not %s", (_name, content) => {
    expect(evmContentSchema.safeParse(content).success).toBe(false);
  });
});
