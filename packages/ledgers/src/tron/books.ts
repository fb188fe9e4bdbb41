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
  /** bytes of the free bandwidth that were used, as they counted then */
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
  /** the transaction that created it */
  readonly bytecode: Uint8Array;
  /** the code that runs */
  readonly code: Uint8Array;
  readonly consumeUserPercent: number;
  readonly originEnergyLimit: bigint;
  /** contracts that it created, for their addresses */
  readonly nonce: bigint;
  /** values by slot, both 32 bytes in hex; nothing is zero */
  readonly storage: ReadonlyMap<string, string>;
}

export interface JavaTronAsset extends JavaTronAssetIssue {
  readonly owner: JavaTronAddress;
}

/** The accounts of everybody, at one moment. */
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

/** Changes an account, which may be new then. @param now milliseconds since 1970, for a new one */
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
