import { hexToBigInt } from "viem/utils";
import { z } from "zod";

const hex = z.templateLiteral(["0x", z.string().regex(/^[0-9a-fA-F]*$/)]);
/** A number as JSON-RPC writes it: hexadecimal with 0x before it. */
export const quantity = hex.transform((text): bigint => (text === "0x" ? 0n : hexToBigInt(text)));
/** Some rollups write null where they have nothing to say. */
const optional = quantity.nullish().transform((value) => value ?? undefined);

const logSchema = z.object({ address: hex, topics: z.array(hex), data: hex });

/** A receipt as nodes answer it. Only what is used is read; chains add fields of their own. */
export const receiptSchema = z.object({
  blockNumber: quantity,
  blockHash: hex,
  from: hex,
  gasUsed: quantity,
  /** absent on nodes from before EIP-1559 */
  effectiveGasPrice: optional,
  status: quantity,
  logs: z.array(logSchema),
  /** OP stack, Scroll and their like: wei, for the data on layer 1; Arbitrum counts it in `gasUsed` */
  l1Fee: optional,
  /** OP stack since Isthmus */
  operatorFeeScalar: optional,
  operatorFeeConstant: optional,
  /** OP stack since Jovian, by which the operator's fee is counted otherwise */
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
 * All that a transaction cost its sender beside its value, wei: gas, the data on layer 1, the rollup's operator.
 * @param gasPrice the transaction's, for nodes whose receipts have no effective price
 */
export const feeOfReceipt = (receipt: Receipt, gasPrice: bigint): bigint =>
  receipt.gasUsed * (receipt.effectiveGasPrice ?? gasPrice) + (receipt.l1Fee ?? 0n) + operatorFee(receipt);
