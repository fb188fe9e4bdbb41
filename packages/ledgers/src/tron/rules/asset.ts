import type { JavaTronAddress } from "../address.ts";
import { changedJavaTronAccount, type JavaTronBooks } from "../books.ts";
import type { JavaTronAssetIssue } from "../transaction/transaction.ts";
import { type JavaTronContext, javaTronInvalid } from "./applied.ts";
import type { JavaTronMoved } from "./transfer.ts";

/** Asset ids are numbers above this. */
const ASSET_NUMBERS_FROM = 1_000_000;
const PRECISION_MAX = 6;
const NAME_BYTES_MAX = 32;
const TEXT_BYTES_MAX = 256;

/** The fields of an asset's transfer. */
export interface JavaTronAssetTransfer {
  readonly to: JavaTronAddress;
  readonly assetId: string;
  readonly amount: bigint;
}

/**
 * Transfers an asset.
 * @source java-tron, TransferAssetActuator
 * @throws JavaTronNotTaken
 */
export const transferJavaTronAsset = (
  books: JavaTronBooks,
  owner: JavaTronAddress,
  { to, assetId, amount }: JavaTronAssetTransfer,
  { prices, time }: JavaTronContext,
): JavaTronMoved => {
  if (amount <= 0n) throw javaTronInvalid("Amount must be greater than 0.");
  if (to === owner) throw javaTronInvalid("Cannot transfer asset to yourself.");
  const from = books.accounts.get(owner);
  if (from === undefined) throw javaTronInvalid("No owner account!");
  if (!books.assets.has(assetId)) throw javaTronInvalid("No asset!");
  const held = from.assets.get(assetId) ?? 0n;
  if (held <= 0n) throw javaTronInvalid("assetBalance must be greater than 0.");
  if (amount > held) throw javaTronInvalid("assetBalance is not sufficient.");
  const receiver = books.accounts.get(to);
  if (receiver?.isContract === true) throw javaTronInvalid("Cannot transfer asset to smartContract.");
  const fee = receiver === undefined ? prices.createNewAccountFee : 0n;
  if (from.balance < fee) {
    throw javaTronInvalid("Validate TransferAssetActuator error, insufficient fee.");
  }
  const paid = changedJavaTronAccount(books, owner, time, ({ balance, assets }) => ({
    balance: balance - fee,
    assets: new Map(assets).set(assetId, held - amount),
  }));
  const moved = changedJavaTronAccount(paid, to, time, ({ assets }) => ({
    assets: new Map(assets).set(assetId, (assets.get(assetId) ?? 0n) + amount),
  }));
  return { books: moved, fee };
};

const checkIssue = (asset: JavaTronAssetIssue, headTime: number): void => {
  const { name, url, description, totalSupply, trxNumber, number, precision, startTime, endTime } = asset;
  if (name.length === 0 || name.length > NAME_BYTES_MAX) throw javaTronInvalid("Invalid assetName");
  if (url.length === 0 || url.length > TEXT_BYTES_MAX) throw javaTronInvalid("Invalid url");
  if (description.length > TEXT_BYTES_MAX) throw javaTronInvalid("Invalid description");
  if (precision > PRECISION_MAX) throw javaTronInvalid("precision cannot exceed 6");
  if (startTime === 0) throw javaTronInvalid("Start time should be not empty");
  if (endTime === 0) throw javaTronInvalid("End time should be not empty");
  if (endTime <= startTime) throw javaTronInvalid("End time should be greater than start time");
  if (startTime <= headTime) throw javaTronInvalid("Start time should be greater than HeadBlockTime");
  if (totalSupply <= 0n) throw javaTronInvalid("TotalSupply must greater than 0!");
  if (trxNumber <= 0) throw javaTronInvalid("TrxNum must greater than 0!");
  if (number <= 0) throw javaTronInvalid("Num must greater than 0!");
};

/**
 * Creates an asset; its issuer receives the whole supply.
 * @source java-tron, AssetIssueActuator
 * @throws JavaTronNotTaken
 */
export const issueJavaTronAsset = (
  books: JavaTronBooks,
  owner: JavaTronAddress,
  asset: JavaTronAssetIssue,
  { prices, time, headTime }: JavaTronContext,
): JavaTronMoved & { readonly assetId: string } => {
  checkIssue(asset, headTime);
  const issuer = books.accounts.get(owner);
  if (issuer === undefined) throw javaTronInvalid("Account not exists");
  if (issuer.issuedAsset !== undefined) throw javaTronInvalid("An account can only issue one asset");
  const fee = prices.assetIssueFee;
  if (issuer.balance < fee) throw javaTronInvalid("No enough balance for fee!");
  const assetId = `${ASSET_NUMBERS_FROM + books.assets.size + 1}`;
  const assets = new Map(books.assets).set(assetId, { ...asset, owner });
  const issued = changedJavaTronAccount({ ...books, assets }, owner, time, (account) => ({
    balance: account.balance - fee,
    assets: new Map(account.assets).set(assetId, asset.totalSupply),
    issuedAsset: assetId,
  }));
  return { books: issued, fee, assetId };
};
