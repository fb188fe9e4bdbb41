import type { AlgodBooks } from "../books.ts";

/** The effects of a transaction beyond its own fields: a block and a pending transaction's information show them. */
export interface AppliedData {
  /** microalgos paid to the account's close-to address */
  readonly closingAmount: bigint;
  /** smallest units of an asset paid to the holding's close-to address */
  readonly assetClosingAmount: bigint;
  /** the id of the asset that the transaction created */
  readonly createdAsset: bigint | undefined;
}

export const NOTHING_APPLIED: AppliedData = {
  closingAmount: 0n,
  assetClosingAmount: 0n,
  createdAsset: undefined,
};

export interface AppliedAct {
  readonly books: AlgodBooks;
  readonly applied: AppliedData;
}
