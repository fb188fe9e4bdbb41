import { type FeeLevels, ok, type Priority, type Result } from "@conclave/custody";
import { z } from "zod";
import { computePriceOf, solanaFeeLevels } from "../market.ts";
import { slotOf } from "./blocks.ts";
import { uint64Field } from "./fields.ts";
import { demandSolana, type SolanaRpc } from "./json-rpc.ts";

/** Most accounts that a node accepts in one request. */
const ACCOUNTS_MAX = 128;

/**
 * For each of the last slots, the lowest price of transactions that changed all of these accounts, in micro-lamports
 * per unit.
 */
const pricesPaid = async (
  rpc: SolanaRpc,
  accounts: readonly string[],
): Promise<Result<readonly bigint[]>> => {
  const found = await demandSolana(rpc, {
    method: "getRecentPrioritizationFees",
    params: [accounts.slice(0, ACCOUNTS_MAX)],
    schema: z.array(z.object({ prioritizationFee: uint64Field })),
  });
  return found.ok ? ok(found.value.map(({ prioritizationFee }) => prioritizationFee)) : found;
};

/** The price for a priority; without a priority there is no bid. @param accounts the accounts that the transaction changes */
export const priceFor = async (
  rpc: SolanaRpc,
  priority: Priority | undefined,
  accounts: readonly string[],
): Promise<Result<bigint | undefined>> => {
  if (priority === undefined) return ok(undefined);
  const paid = await pricesPaid(rpc, accounts);
  return paid.ok ? ok(computePriceOf(priority, paid.value)) : paid;
};

/** The current bids for each priority. */
export const solanaMarket = async (rpc: SolanaRpc): Promise<Result<FeeLevels>> => {
  const [slot, paid] = await Promise.all([slotOf(rpc, "confirmed"), pricesPaid(rpc, [])]);
  if (!slot.ok) return slot;
  return paid.ok ? ok(solanaFeeLevels(slot.value, paid.value)) : paid;
};
