import { hexToBytes } from "@noble/curves/utils.js";
import { z } from "zod";
import type { Arrival } from "../../chain.ts";
import { tronAddress } from "../rules/address.ts";
import { blockId, count } from "./blocks.ts";
import { HEX_BYTES, textInHex } from "./http.ts";

const TRC10_ID = /^[1-9][0-9]{0,18}$/;

const hex = z.string().regex(HEX_BYTES);
/**
 * 41 and 20 bytes in hex. It is kept in hex, because encoding every address of a block would take longer than reading
 * all else.
 */
const address = z.string().regex(/^41[0-9a-fA-F]{40}$/);
const spelled = (digits: string): string => tronAddress(hexToBytes(digits.slice(2)));

const contractSchema = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("TransferContract"),
    parameter: z.object({ value: z.object({ owner_address: address, to_address: address, amount: count }) }),
  }),
  z.object({
    type: z.literal("TransferAssetContract"),
    parameter: z.object({
      value: z.object({ owner_address: address, to_address: address, amount: count, asset_name: hex }),
    }),
  }),
]);
const contractsSchema = z.array(contractSchema);
type Contract = z.output<typeof contractSchema>;

/** The ledger's own payments. */
const PAYMENTS: ReadonlySet<string> = new Set(["TransferContract", "TransferAssetContract"]);
/**
 * Types of transactions that run a contract's code, which may write logs: a call, and the creation of a contract, whose
 * constructor runs.
 */
const RUNNING: ReadonlySet<string> = new Set(["TriggerSmartContract", "CreateSmartContract"]);

const transactionSchema = z.object({
  txID: blockId,
  ret: z.array(z.object({ contractRet: z.string().optional() })).default([]),
  raw_data: z.object({ contract: z.array(z.object({ type: z.string() }).loose()) }),
});

/** A movement by one of the ledger's own payments. */
interface Paid {
  /** the payer, in the node's notation */
  readonly owner: string;
  readonly arrival: Omit<Arrival, "from">;
}

/** The parts of a block's transaction that are read. */
export interface TronIncluded {
  readonly txID: string;
  /** whether it may have written logs */
  readonly isRunning: boolean;
  /** movements by payments that succeeded */
  readonly paid: readonly Paid[];
}

const paidBy = (txHash: string, { type, parameter }: Contract): readonly Paid[] => {
  const { owner_address: owner, to_address, amount } = parameter.value;
  if (amount === 0n) return [];
  const value = { to: spelled(to_address), amount: amount.toString() };
  if (type === "TransferContract") {
    return [{ owner, arrival: { txHash, place: "contract", moved: { kind: "Native", ...value } } }];
  }
  const tokenId = ("asset_name" in parameter.value && textInHex(parameter.value.asset_name)) || "";
  // in old blocks, and from lying nodes, tokens have names instead of ids
  if (!TRC10_ID.test(tokenId)) return [];
  return [{ owner, arrival: { txHash, place: "contract", moved: { kind: "Trc10", tokenId, ...value } } }];
};

/** @returns undefined if it cannot be read: for a payment of an unknown form it is unknown whom it paid */
export const tronIncludedIn = (reported: unknown): TronIncluded | undefined => {
  const read = transactionSchema.safeParse(reported);
  if (!read.success) return undefined;
  const { txID, ret, raw_data } = read.data;
  const isRunning = raw_data.contract.some(({ type }) => RUNNING.has(type));
  const hasFailed = ret.some(({ contractRet = "SUCCESS" }) => contractRet !== "SUCCESS");
  if (hasFailed) return { txID, isRunning, paid: [] };
  const payments = contractsSchema.safeParse(raw_data.contract.filter(({ type }) => PAYMENTS.has(type)));
  if (!payments.success) return undefined;
  return { txID, isRunning, paid: payments.data.flatMap((contract) => paidBy(txID, contract)) };
};

/** The arrival with the payer in the usual notation. */
export const tronPayment = ({ owner, arrival }: Paid): Arrival => ({ ...arrival, from: spelled(owner) });
