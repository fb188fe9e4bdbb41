import { granted, type Ruling, refusedWith } from "../../ruling.ts";
import type { AlgodAddress } from "../address.ts";
import { type AlgodBooks, accountIn, assetIn, withHolding } from "../books.ts";
import type { AlgodAssetFreeze } from "../transaction/transaction.ts";
import { type AppliedAct, NOTHING_APPLIED } from "./applied.ts";

/** @source go-algorand, ledger/apply/asset.go: AssetFreeze */
export const applyAssetFreeze = (
  books: AlgodBooks,
  sender: AlgodAddress,
  { assetId, account, frozen }: AlgodAssetFreeze,
): Ruling<AppliedAct> => {
  const asset = assetIn(books, assetId);
  if (asset === undefined) return refusedWith(`asset ${assetId} does not exist or has been deleted`);
  const { freeze } = asset.parameters;
  if (freeze !== sender) return refusedWith(`freeze not allowed: sender ${sender}, freeze ${freeze ?? ""}`);
  const holding = accountIn(books, account).holdings.get(assetId);
  if (holding === undefined) return refusedWith("asset not found in account");
  return granted({
    books: withHolding(books, account, assetId, { ...holding, frozen }),
    applied: NOTHING_APPLIED,
  });
};
