import { type FeeLevels, ok, type Priority, type Result } from "@conclave/custody";
import { z } from "zod";
import { bitcoinFeeLevels, type FeeFloor, feeRate, feeTarget, LEAST_RATE } from "../coins/fees.ts";
import { bitcoins } from "./amounts.ts";
import { lastBlock } from "./blocks.ts";
import { askBitcoind, type BitcoinRpc, demandBitcoind } from "./rpc.ts";

/** Rates are in bitcoins per thousand virtual bytes. */
const poolSchema = z.object({
  mempoolminfee: bitcoins,
  minrelaytxfee: bitcoins,
  incrementalrelayfee: bitcoins.optional(),
});
/** A node that has seen too few blocks answers with errors instead of a rate. */
const estimateSchema = z.object({ feerate: bitcoins.optional() });
const entrySchema = z.object({ fees: z.object({ descendant: bitcoins }) });

const NOT_IN_POOL = -5;

const larger = (a: bigint, b: bigint): bigint => (a > b ? a : b);

/** The lowest rate that the node relays, in satoshis per thousand virtual bytes. */
export const feeFloor = async (rpc: BitcoinRpc): Promise<Result<FeeFloor>> => {
  const pool = await demandBitcoind(rpc, poolSchema, "getmempoolinfo");
  if (!pool.ok) return pool;
  const { mempoolminfee, minrelaytxfee, incrementalrelayfee = LEAST_RATE } = pool.value;
  return ok({
    least: larger(larger(mempoolminfee, minrelaytxfee), LEAST_RATE),
    increment: larger(incrementalrelayfee, LEAST_RATE),
  });
};

/** The node's estimate, in satoshis per thousand virtual bytes; undefined if it has seen too few blocks. */
export const estimateFor = async (
  rpc: BitcoinRpc,
  priority: Priority | undefined,
): Promise<Result<bigint | undefined>> => {
  const { blocks, mode } = feeTarget(priority);
  const found = await demandBitcoind(rpc, estimateSchema, "estimatesmartfee", blocks, mode);
  return found.ok ? ok(found.value.feerate) : found;
};

/** The rate for a priority. */
export const rateFor = async (
  rpc: BitcoinRpc,
  priority: Priority | undefined,
  floor: FeeFloor,
): Promise<Result<bigint>> => {
  const estimate = await estimateFor(rpc, priority);
  return estimate.ok ? ok(feeRate(feeTarget(priority), estimate.value, floor)) : estimate;
};

/** The current fees, at each priority. */
export const bitcoinMarket = async (rpc: BitcoinRpc): Promise<Result<FeeLevels>> => {
  const [tip, floor, slow, standard, fast] = await Promise.all([
    lastBlock(rpc),
    feeFloor(rpc),
    estimateFor(rpc, "Slow"),
    estimateFor(rpc, "Standard"),
    estimateFor(rpc, "Fast"),
  ]);
  if (!tip.ok) return tip;
  if (!floor.ok) return floor;
  if (!slow.ok) return slow;
  if (!standard.ok) return standard;
  if (!fast.ok) return fast;
  const estimates = { Slow: slow.value, Standard: standard.value, Fast: fast.value };
  return ok(bitcoinFeeLevels(tip.value.blocks, floor.value, estimates));
};

/** Satoshis that a pool transaction and its descendants in the pool pay together; zero if it is not in the pool. */
export const feesWithDescendants = async (rpc: BitcoinRpc, txid: string): Promise<Result<bigint>> => {
  const entry = await askBitcoind(rpc, entrySchema, [NOT_IN_POOL], "getmempoolentry", txid);
  return entry.ok ? ok(entry.value?.fees.descendant ?? 0n) : entry;
};
