import { hexToBigInt } from "viem/utils";
import { z } from "zod";

const hex = z.templateLiteral(["0x", z.string().regex(/^[0-9a-fA-F]*$/)]);
/** A number as JSON-RPC writes it: hexadecimal with 0x before it. */
export const quantity = hex.transform((text): bigint => (text === "0x" ? 0n : hexToBigInt(text)));
/** Some rollups write null for an absent value. */
const optional = quantity.nullish().transform((value) => value ?? undefined);

const logSchema = z.object({ address: hex, topics: z.array(hex), data: hex });

/** A node's receipt. The schema reads only the fields in use; chains add their own. */
export const receiptSchema = z.object({
  blockNumber: quantity,
  blockHash: hex,
  from: hex,
  gasUsed: quantity,
  /** absent on nodes without EIP-1559 */
  effectiveGasPrice: optional,
  status: quantity,
  logs: z.array(logSchema),
  /** OP stack, Scroll and similar rollups: wei, for the data on layer 1; Arbitrum counts it in `gasUsed` */
  l1Fee: optional,
  /** OP stack since Isthmus */
  operatorFeeScalar: optional,
  operatorFeeConstant: optional,
  /** OP stack since Jovian; its presence changes the formula of the operator's fee */
  daFootprintGasScalar: optional,
});
export type Receipt = z.infer<typeof receiptSchema>;

const MILLION = 1_000_000n;
const JOVIAN_TIMES = 100n;

/** op-geth core/types/rollup_cost.go: newOperatorCostFuncIsthmus, newOperatorCostFuncOperatorFeeFix. */
const operatorFee = (receipt: Receipt): bigint => {
  const { gasUsed, operatorFeeScalar: scalar = 0n, operatorFeeConstant: constant = 0n } = receipt;
  const isJovian = receipt.daFootprintGasScalar !== undefined;
  return (isJovian ? gasUsed * scalar * JOVIAN_TIMES : (gasUsed * scalar) / MILLION) + constant;
};

/**
 * All that a transaction cost its sender except its value, in wei: gas, the data on layer 1, the rollup operator's fee.
 * @param gasPrice of the transaction, for nodes whose receipts have no effective price
 */
export const feeOfReceipt = (receipt: Receipt, gasPrice: bigint): bigint =>
  receipt.gasUsed * (receipt.effectiveGasPrice ?? gasPrice) + (receipt.l1Fee ?? 0n) + operatorFee(receipt);
