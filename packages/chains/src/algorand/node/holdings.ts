import { type Asset, isPlainText, ok, type Result } from "@conclave/custody";
import { z } from "zod";
import { accountOf, assetHoldingOf } from "./look-around.ts";
import { type Algod, askFor } from "./rest.ts";

const SYMBOL_LENGTH = 32;
const ASSET_ID = /^[1-9][0-9]{0,19}$/;

const assetSchema = z.object({
  params: z.object({ decimals: z.bigint().nonnegative().max(19n), "unit-name": z.string().optional() }),
});

const checked = (assetId: string): string => {
  if (!ASSET_ID.test(assetId)) throw new TypeError("an asset's id is a number");
  return assetId;
};

const assetOf = (algod: Algod, assetId: string) =>
  askFor(algod, `/v2/assets/${checked(assetId)}`, assetSchema);

/** Microalgos, including the minimum balance that the account must keep. */
export const microalgosOf = async (algod: Algod, owner: string): Promise<Result<bigint>> => {
  const account = await accountOf(algod, owner);
  return account.ok ? ok(account.value.balance) : account;
};

/** The balance of an account in an asset; undefined if the asset does not exist. */
export const assetBalance = async (
  algod: Algod,
  owner: string,
  assetId: string,
): Promise<Result<bigint | undefined>> => {
  const held = await assetHoldingOf(algod, owner, checked(assetId));
  if (!held.ok) return held;
  if (held.value !== undefined) return ok(held.value.amount);
  const asset = await assetOf(algod, assetId);
  if (!asset.ok) return asset;
  return ok(asset.value === undefined ? undefined : 0n);
};

/** An asset's own metadata, which is unverified. */
export const describeAsset = async (algod: Algod, assetId: string): Promise<Result<Asset>> => {
  const found = await assetOf(algod, assetId);
  if (!found.ok) return found;
  if (found.value === undefined) return ok({});
  const { decimals, "unit-name": unit = "" } = found.value.params;
  const isShown = unit.length > 0 && unit.length <= SYMBOL_LENGTH && isPlainText(unit);
  return ok({ ...(isShown ? { symbol: unit } : {}), decimals: Number(decimals), verified: false });
};
