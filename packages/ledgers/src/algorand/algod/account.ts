import type { LedgerJson } from "../../json.ts";
import type { AlgodAddress } from "../address.ts";
import { type AlgodAsset, type AlgodHolding, accountIn, assetIn } from "../books.ts";
import { minimumBalanceOf } from "../rules/minimum-balance.ts";
import { type AlgodState, latestBlock } from "../state.ts";
import { assetJson, assetParametersJson } from "./asset.ts";

const holdingJson = (assetId: bigint, { amount, frozen }: AlgodHolding): LedgerJson => ({
  amount,
  "asset-id": assetId,
  "is-frozen": frozen,
});

const createdAssets = (state: AlgodState, ids: readonly bigint[]): readonly LedgerJson[] =>
  ids.flatMap((id) => {
    const asset = assetIn(state.books, id);
    return asset === undefined ? [] : [assetJson(id, asset)];
  });

/**
 * GET /v2/accounts/{address}: an address that never received anything is shown as an empty account. No account earns
 * rewards.
 * @param exclude "all" leaves out the fields that grow with the number of assets
 */
export const accountJson = (
  state: AlgodState,
  address: AlgodAddress,
  exclude: string | undefined,
): LedgerJson => {
  const account = accountIn(state.books, address);
  const { balance, authorizedBy, holdings } = account;
  const lists = {
    assets: [...holdings].map(([id, holding]) => holdingJson(id, holding)),
    "created-assets": createdAssets(state, account.createdAssets),
    "apps-local-state": [],
    "created-apps": [],
  };
  return {
    address,
    amount: balance,
    "amount-without-pending-rewards": balance,
    "auth-addr": authorizedBy,
    "min-balance": minimumBalanceOf(account),
    "pending-rewards": 0,
    rewards: 0,
    round: latestBlock(state).round,
    status: "Offline",
    "total-apps-opted-in": 0,
    "total-assets-opted-in": holdings.size,
    "total-created-apps": 0,
    "total-created-assets": account.createdAssets.length,
    ...(exclude === "all" ? {} : lists),
  };
};

/** GET /v2/accounts/{address}/assets/{id}. @returns undefined if the account neither holds nor created the asset */
export const accountAssetJson = (
  state: AlgodState,
  address: AlgodAddress,
  assetId: bigint,
): LedgerJson | undefined => {
  const holding = accountIn(state.books, address).holdings.get(assetId);
  const asset: AlgodAsset | undefined = assetIn(state.books, assetId);
  const created = asset?.creator === address ? asset : undefined;
  if (holding === undefined && created === undefined) return undefined;
  return {
    round: latestBlock(state).round,
    "asset-holding": holding && holdingJson(assetId, holding),
    "created-asset": created && assetParametersJson(created),
  };
};
