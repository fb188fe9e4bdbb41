import type { JavaTronAddress } from "./address.ts";
import type { JavaTronAssetIssue } from "./transaction/transaction.ts";

export interface JavaTronAccount {
  /** sun */
  readonly balance: bigint;
  /** milliseconds since 1970 */
  readonly createTime: number;
  readonly isContract: boolean;
  /** by asset id */
  readonly assets: ReadonlyMap<string, bigint>;
  /** used bytes of the free bandwidth, as of the last use */
  readonly freeNetUsage: number;
  readonly latestConsumeFreeTime: number;
  readonly latestOperationTime: number;
  readonly issuedAsset: string | undefined;
}

export interface JavaTronContract {
  readonly origin: JavaTronAddress;
  readonly name: string;
  /** protocol.SmartContract.ABI */
  readonly abi: Uint8Array;
  /** the code in the transaction that created the contract */
  readonly bytecode: Uint8Array;
  /** the deployed code */
  readonly code: Uint8Array;
  readonly consumeUserPercent: number;
  readonly originEnergyLimit: bigint;
  /** number of contracts that it created; their addresses are derived from it */
  readonly nonce: bigint;
  /** non-zero values by slot, both 32 bytes in hex */
  readonly storage: ReadonlyMap<string, string>;
}

export interface JavaTronAsset extends JavaTronAssetIssue {
  readonly owner: JavaTronAddress;
}

/** All accounts, assets and contracts, at one moment. */
export interface JavaTronBooks {
  readonly accounts: ReadonlyMap<JavaTronAddress, JavaTronAccount>;
  readonly assets: ReadonlyMap<string, JavaTronAsset>;
  readonly contracts: ReadonlyMap<JavaTronAddress, JavaTronContract>;
}

export const newJavaTronAccount = (createTime: number): JavaTronAccount => ({
  balance: 0n,
  createTime,
  isContract: false,
  assets: new Map(),
  freeNetUsage: 0,
  latestConsumeFreeTime: 0,
  latestOperationTime: 0,
  issuedAsset: undefined,
});

/** Changes an account, and creates it if needed. @param now milliseconds since 1970, the creation time of a new account */
export const changedJavaTronAccount = (
  books: JavaTronBooks,
  address: JavaTronAddress,
  now: number,
  change: (account: JavaTronAccount) => Partial<JavaTronAccount>,
): JavaTronBooks => {
  const account = books.accounts.get(address) ?? newJavaTronAccount(now);
  const accounts = new Map(books.accounts).set(address, { ...account, ...change(account) });
  return { ...books, accounts };
};
