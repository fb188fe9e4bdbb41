import { granted, type Ruling, refusedWith } from "../../ruling.ts";
import type { AlgodAddress } from "../address.ts";
import { type AlgodBooks, accountIn, assetIn, withHolding } from "../books.ts";
import type { AlgodAssetTransfer } from "../transaction/transaction.ts";
import { type AppliedAct, NOTHING_APPLIED } from "./applied.ts";

interface Units {
  readonly assetId: bigint;
  readonly amount: bigint;
  /** a clawback, and a close-out to the creator, move frozen units too */
  readonly evenFrozen: boolean;
}

const takeOut = (
  books: AlgodBooks,
  address: AlgodAddress,
  { assetId, amount, evenFrozen }: Units,
): Ruling<AlgodBooks> => {
  if (amount === 0n) return granted(books);
  const holding = accountIn(books, address).holdings.get(assetId);
  if (holding === undefined) return refusedWith(`asset ${assetId} missing from ${address}`);
  if (holding.frozen && !evenFrozen) return refusedWith(`asset ${assetId} frozen in ${address}`);
  if (holding.amount < amount) {
    return refusedWith(`underflow on subtracting ${amount} from sender amount ${holding.amount}`);
  }
  return granted(withHolding(books, address, assetId, { ...holding, amount: holding.amount - amount }));
};

const putIn = (
  books: AlgodBooks,
  address: AlgodAddress,
  { assetId, amount, evenFrozen }: Units,
): Ruling<AlgodBooks> => {
  if (amount === 0n) return granted(books);
  const holding = accountIn(books, address).holdings.get(assetId);
  if (holding === undefined) {
    return refusedWith(`receiver error: must optin, asset ${assetId} missing from ${address}`);
  }
  if (holding.frozen && !evenFrozen) return refusedWith("asset frozen in recipient");
  return granted(withHolding(books, address, assetId, { ...holding, amount: holding.amount + amount }));
};

const move = (books: AlgodBooks, from: AlgodAddress, to: AlgodAddress, units: Units): Ruling<AlgodBooks> => {
  const taken = takeOut(books, from, units);
  return taken.ok ? putIn(taken.value, to, units) : taken;
};

/** The account whose units move. Only the asset's clawback address may move another account's units. */
const sourceOf = (
  books: AlgodBooks,
  sender: AlgodAddress,
  { assetId, clawedFrom }: AlgodAssetTransfer,
): Ruling<AlgodAddress> => {
  if (clawedFrom === undefined) return granted(sender);
  const asset = assetIn(books, assetId);
  if (asset === undefined) return refusedWith(`asset ${assetId} does not exist or has been deleted`);
  const { clawback } = asset.parameters;
  return clawback === sender
    ? granted(clawedFrom)
    : refusedWith(`clawback not allowed: sender ${sender}, clawback ${clawback ?? ""}`);
};

/** The opt-in: a transfer of zero to oneself opens a holding. */
const optIn = (
  books: AlgodBooks,
  address: AlgodAddress,
  { assetId, amount, receiver, clawedFrom }: AlgodAssetTransfer,
): Ruling<AlgodBooks> => {
  const asks = amount === 0n && receiver === address && clawedFrom === undefined;
  if (!asks || accountIn(books, address).holdings.has(assetId)) return granted(books);
  const asset = assetIn(books, assetId);
  if (asset === undefined) return refusedWith(`asset ${assetId} does not exist or has been deleted`);
  return granted(
    withHolding(books, address, assetId, { amount: 0n, frozen: asset.parameters.defaultFrozen }),
  );
};

const closeHolding = (
  books: AlgodBooks,
  source: AlgodAddress,
  closeTo: AlgodAddress,
  assetId: bigint,
): Ruling<AppliedAct> => {
  const account = accountIn(books, source);
  if (account.holdings.size === 0) {
    return refusedWith(
      `cannot close asset holding on account ${source} : account is not opted in asset ${assetId} `,
    );
  }
  if (account.createdAssets.includes(assetId)) {
    return refusedWith("cannot close asset ID in allocating account");
  }
  const holding = account.holdings.get(assetId);
  if (holding === undefined) return refusedWith(`asset ${assetId} not present in account ${source}`);
  const evenFrozen = accountIn(books, closeTo).createdAssets.includes(assetId);
  const moved = move(books, source, closeTo, { assetId, amount: holding.amount, evenFrozen });
  if (!moved.ok) return moved;
  const left = accountIn(moved.value, source).holdings.get(assetId)?.amount ?? 0n;
  if (left !== 0n) return refusedWith(`asset ${assetId} not zero (${left}) after closing`);
  return granted({
    books: withHolding(moved.value, source, assetId, undefined),
    applied: { ...NOTHING_APPLIED, assetClosingAmount: holding.amount },
  });
};

/** @source go-algorand, ledger/apply/asset.go: AssetTransfer */
export const applyAssetTransfer = (
  books: AlgodBooks,
  sender: AlgodAddress,
  act: AlgodAssetTransfer,
): Ruling<AppliedAct> => {
  const source = sourceOf(books, sender, act);
  if (!source.ok) return source;
  const opened = optIn(books, source.value, act);
  if (!opened.ok) return opened;
  const units = { assetId: act.assetId, amount: act.amount, evenFrozen: act.clawedFrom !== undefined };
  const moved = move(opened.value, source.value, act.receiver, units);
  if (!moved.ok) return moved;
  return act.closeTo === undefined
    ? granted({ books: moved.value, applied: NOTHING_APPLIED })
    : closeHolding(moved.value, source.value, act.closeTo, act.assetId);
};
