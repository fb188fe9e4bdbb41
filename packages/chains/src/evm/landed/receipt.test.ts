import { describe, expect, it } from "vitest";
import { feeOfReceipt, receiptSchema } from "./receipt.ts";

const RECEIPT = {
  blockNumber: "0x10",
  blockHash: `0x${"11".repeat(32)}`,
  from: `0x${"22".repeat(20)}`,
  gasUsed: "0x5208",
  effectiveGasPrice: "0x7",
  status: "0x1",
  logs: [],
};
const feeOf = (more: object): bigint => feeOfReceipt(receiptSchema.parse({ ...RECEIPT, ...more }), 9n);

describe("the fee that a receipt tells", () => {
  it.each([
    ["of gas", {}, 147_000n],
    ["of gas at the transaction's price", { effectiveGasPrice: undefined }, 189_000n],
    ["of gas and layer 1", { l1Fee: "0x64" }, 147_100n],
    // the fee is gasUsed * scalar / 10^6 + constant
    ["with an operator's of Isthmus", { operatorFeeScalar: "0xf4240", operatorFeeConstant: "0x5" }, 168_005n],
    // the fee is gasUsed * scalar * 100 + constant
    [
      "with an operator's of Jovian",
      { operatorFeeScalar: "0x1", operatorFeeConstant: "0x5", daFootprintGasScalar: "0x190" },
      147_000n + 2_100_000n + 5n,
    ],
    ["of Arbitrum, whose gas holds it all", { gasUsedForL1: "0x10", l1BlockNumber: "0x5" }, 147_000n],
  ])("is the whole %s", (_, more, fee) => {
    expect(feeOf(more)).toBe(fee);
  });

  it.each(["status", "gasUsed", "logs", "blockHash"])("cannot be read without %s", (field) => {
    expect(receiptSchema.safeParse({ ...RECEIPT, [field]: undefined }).success).toBe(false);
  });
});
