import type { AlgodBooks } from "../books.ts";

/** The effects of a transaction beyond its own fields: a block and a pending transaction's information show them. */
export interface AppliedData {
  /** microalgos that went to the address that an account was closed to */
  readonly closingAmount: bigint;
  /** the same of an asset, in its smallest units */
  readonly assetClosingAmount: bigint;
  /** the id of the asset that was made */
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
