import { granted, type Ruling, refusedWith } from "../../ruling.ts";
import type { AlgodAddress } from "../address.ts";
import { type AlgodAsset, type AlgodBooks, accountIn, assetIn, withAccount, withAsset } from "../books.ts";
import type { AlgodAssetConfiguration, AlgodAssetParameters } from "../transaction/transaction.ts";
import { type AppliedAct, NOTHING_APPLIED } from "./applied.ts";

const create = (
  books: AlgodBooks,
  creator: AlgodAddress,
  parameters: AlgodAssetParameters,
): Ruling<AppliedAct> => {
  const id = books.transactionCount + 1n;
  const { holdings, createdAssets } = accountIn(books, creator);
  const held = withAccount(books, creator, {
    holdings: new Map(holdings).set(id, { amount: parameters.total, frozen: false }),
    createdAssets: [...createdAssets, id],
  });
  return granted({
    books: withAsset(held, id, { creator, parameters }),
    applied: { ...NOTHING_APPLIED, createdAsset: id },
  });
};

/** Destroys an asset; its creator must hold every unit. */
const destroy = (books: AlgodBooks, id: bigint, asset: AlgodAsset): Ruling<AppliedAct> => {
  const { holdings, createdAssets } = accountIn(books, asset.creator);
  const held = holdings.get(id)?.amount ?? 0n;
  if (held !== asset.parameters.total) {
    return refusedWith(`cannot destroy asset: creator is holding only ${held}/${asset.parameters.total}`);
  }
  const without = withAccount(books, asset.creator, {
    holdings: new Map([...holdings].filter(([assetId]) => assetId !== id)),
    createdAssets: createdAssets.filter((assetId) => assetId !== id),
  });
  return granted({ books: withAsset(without, id, "destroyed"), applied: NOTHING_APPLIED });
};

/** Changes the four addresses of an asset; an address that was cleared stays empty. */
const change = (
  books: AlgodBooks,
  id: bigint,
  { creator, parameters }: AlgodAsset,
  next: AlgodAssetParameters,
): AppliedAct => {
  const changed = {
    ...parameters,
    manager: next.manager,
    reserve: parameters.reserve && next.reserve,
    freeze: parameters.freeze && next.freeze,
    clawback: parameters.clawback && next.clawback,
  };
  return { books: withAsset(books, id, { creator, parameters: changed }), applied: NOTHING_APPLIED };
};

const EMPTY: AlgodAssetParameters = {
  total: 0n,
  decimals: 0,
  defaultFrozen: false,
  unitName: "",
  name: "",
  url: "",
  metadataHash: undefined,
  manager: undefined,
  reserve: undefined,
  freeze: undefined,
  clawback: undefined,
};

/** @source go-algorand, ledger/apply/asset.go: AssetConfig */
export const applyAssetConfiguration = (
  books: AlgodBooks,
  sender: AlgodAddress,
  { assetId, parameters }: AlgodAssetConfiguration,
): Ruling<AppliedAct> => {
  if (assetId === 0n) return create(books, sender, parameters ?? EMPTY);
  const asset = assetIn(books, assetId);
  if (asset === undefined) return refusedWith(`asset ${assetId} does not exist or has been deleted`);
  const { manager } = asset.parameters;
  if (manager !== sender) {
    return refusedWith(
      `this transaction should be issued by the manager. It is issued by ${sender}, manager key ${manager ?? ""}`,
    );
  }
  return parameters === undefined
    ? destroy(books, assetId, asset)
    : granted(change(books, assetId, asset, parameters));
};
