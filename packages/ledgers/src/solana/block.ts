import { sha256 } from "@noble/hashes/sha2.js";
import { utf8ToBytes } from "@noble/hashes/utils.js";
import { base58 } from "@scure/base";
import type { AgaveAccountChanges } from "./account.ts";
import type { AgaveAddress } from "./address.ts";
import type { AgaveOutcome } from "./engine/engine.ts";
import type { AgaveTransaction } from "./wire/transaction.ts";

/** The balance of a token account that a transaction names. */
export interface AgaveTokenBalance {
  /** the account's index among the transaction's keys */
  readonly place: number;
  readonly mint: AgaveAddress;
  readonly owner: AgaveAddress;
  readonly program: AgaveAddress;
  readonly amount: bigint;
  readonly decimals: number;
}

/** The balances of the accounts that a transaction names, in the order of its keys, before or after it. */
export interface AgaveBalances {
  readonly lamports: readonly bigint[];
  readonly tokens: readonly AgaveTokenBalance[];
}

/** A transaction in a block. A failed one is included too if it paid its fee. */
export interface AgaveLanded extends Omit<AgaveOutcome, "changes"> {
  readonly transaction: AgaveTransaction;
  /** lamports */
  readonly fee: bigint;
  /** micro-lamports offered per compute unit */
  readonly unitPrice: bigint;
  readonly before: AgaveBalances;
  readonly after: AgaveBalances;
}

export interface AgaveBlock {
  readonly slot: number;
  readonly parentSlot: number;
  /** number of blocks below it; unlike slots, heights have no gaps */
  readonly height: number;
  /** seconds since 1970 */
  readonly time: number;
  readonly blockhash: string;
  readonly previousBlockhash: string;
  readonly transactions: readonly AgaveLanded[];
  /** micro-lamports: the minimum price of a compute unit in this slot */
  readonly unitPriceFloor: bigint;
  /** the former state of the accounts that it changed; empty once the block is final, because no fork can undo it then */
  readonly undo: AgaveAccountChanges;
}

const text = (...parts: readonly (string | number)[]): string =>
  base58.encode(sha256(utf8ToBytes(JSON.stringify(parts))));

/** @param genesisHash stands for the previous blockhash in the first block */
export const makeAgaveBlock = (
  genesisHash: string,
  parent: AgaveBlock | undefined,
  made: Pick<AgaveBlock, "slot" | "time" | "transactions" | "unitPriceFloor" | "undo">,
): AgaveBlock => {
  const previousBlockhash = parent?.blockhash ?? genesisHash;
  const signatures = made.transactions.flatMap(({ transaction }) => transaction.signatures);
  return {
    ...made,
    parentSlot: parent?.slot ?? 0,
    height: parent === undefined ? 0 : parent.height + 1,
    previousBlockhash,
    blockhash: text(previousBlockhash, made.slot, made.time, ...signatures),
  };
};
