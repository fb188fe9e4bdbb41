import { ok, type Result } from "@conclave/custody";
import { z } from "zod";
import type { AlgorandPlan } from "../plan.ts";
import type { AlgorandAccount, AlgorandSituation, AssetHolding } from "../situation.ts";
import { type Algod, askFor, demandOf } from "./rest.ts";

const amount = z.bigint().nonnegative();

/** A node's answer about its chain. */
const paramsSchema = z.object({
  "genesis-id": z.string(),
  "genesis-hash": z.string(),
  "last-round": amount,
  "min-fee": amount,
  /** microalgos per byte */
  fee: amount,
});

const accountSchema = z.object({
  amount,
  "min-balance": amount,
  "auth-addr": z.string().optional(),
});

const holdingSchema = z.object({ "asset-holding": z.object({ amount, "is-frozen": z.boolean() }) });

interface ChainNow extends Pick<AlgorandSituation, "genesisId" | "genesisHash" | "lastRound" | "fees"> {}

/** The node's chain, and its last round. */
export const chainNow = async (algod: Algod): Promise<Result<ChainNow>> => {
  const found = await demandOf(algod, "/v2/transactions/params", paramsSchema);
  if (!found.ok) return found;
  return ok({
    genesisId: found.value["genesis-id"],
    genesisHash: found.value["genesis-hash"],
    lastRound: found.value["last-round"],
    fees: { leastFee: found.value["min-fee"], feePerByte: found.value.fee },
  });
};

/**
 * The account at an address. Nodes answer for an address without payments too, with zero. Its assets, possibly
 * thousands, are left out.
 */
export const accountOf = async (algod: Algod, address: string): Promise<Result<AlgorandAccount>> => {
  const found = await demandOf(algod, `/v2/accounts/${address}?exclude=all`, accountSchema);
  if (!found.ok) return found;
  const { amount: balance, "min-balance": least, "auth-addr": authority } = found.value;
  return ok({ balance, least, authority });
};

/** @returns undefined if the account has not opted in to the asset, or the asset does not exist */
export const assetHoldingOf = async (
  algod: Algod,
  address: string,
  assetId: string,
): Promise<Result<AssetHolding | undefined>> => {
  const found = await askFor(algod, `/v2/accounts/${address}/assets/${assetId}`, holdingSchema);
  if (!found.ok) return found;
  if (found.value === undefined) return ok(undefined);
  const { amount: held, "is-frozen": isFrozen } = found.value["asset-holding"];
  return ok({ amount: held, isFrozen });
};

/** Whether the asset exists. A holding of it is proof; otherwise the node is asked. */
const assetIsThere = async (
  algod: Algod,
  assetId: string,
  holding: AssetHolding | undefined,
): Promise<Result<boolean>> => {
  if (holding !== undefined) return ok(true);
  const found = await askFor(algod, `/v2/assets/${assetId}`, z.object({}));
  return found.ok ? ok(found.value !== undefined) : found;
};

const assetsOf = async (
  algod: Algod,
  sender: string,
  { payment }: AlgorandPlan,
): Promise<Result<AlgorandSituation["asset"]>> => {
  if (payment.type === "pay") return ok(undefined);
  const assetId = payment.assetId.toString();
  const [ofSender, ofRecipient] = await Promise.all([
    assetHoldingOf(algod, sender, assetId),
    assetHoldingOf(algod, payment.to, assetId),
  ]);
  if (!ofSender.ok) return ofSender;
  if (!ofRecipient.ok) return ofRecipient;
  const isThere = await assetIsThere(algod, assetId, ofSender.value);
  if (!isThere.ok) return isThere;
  return ok({ isThere: isThere.value, ofSender: ofSender.value, ofRecipient: ofRecipient.value });
};

/** Everything on which a transaction depends, asked at once. */
export const algorandSituation = async (
  algod: Algod,
  sender: string,
  plan: AlgorandPlan,
): Promise<Result<AlgorandSituation>> => {
  const [chain, own, recipient, asset] = await Promise.all([
    chainNow(algod),
    accountOf(algod, sender),
    accountOf(algod, plan.payment.to),
    assetsOf(algod, sender, plan),
  ]);
  if (!chain.ok) return chain;
  if (!own.ok) return own;
  if (!recipient.ok) return recipient;
  if (!asset.ok) return asset;
  return ok({ ...chain.value, sender: own.value, recipient: recipient.value, asset: asset.value });
};
