import { sha256 } from "@noble/hashes/sha2.js";
import { utf8ToBytes } from "@noble/hashes/utils.js";
import { base58 } from "@scure/base";
import type { AgaveAccountChanges } from "./account.ts";
import type { AgaveAddress } from "./address.ts";
import type { AgaveOutcome } from "./engine/engine.ts";
import type { AgaveTransaction } from "./wire/transaction.ts";

/** The former balance of a token account that a transaction names. */
export interface AgaveTokenBalance {
  /** the account's place among the transaction's keys */
  readonly place: number;
  readonly mint: AgaveAddress;
  readonly owner: AgaveAddress;
  readonly program: AgaveAddress;
  readonly amount: bigint;
  readonly decimals: number;
}

/** The former balances of the accounts that a transaction names, in the order of its keys. */
export interface AgaveBalances {
  readonly lamports: readonly bigint[];
  readonly tokens: readonly AgaveTokenBalance[];
}

/** A transaction in a block. One that failed stands there too, if it paid. */
export interface AgaveLanded extends Omit<AgaveOutcome, "changes"> {
  readonly transaction: AgaveTransaction;
  /** lamports */
  readonly fee: bigint;
  /** micro-lamports that it offered for each compute unit */
  readonly unitPrice: bigint;
  readonly before: AgaveBalances;
  readonly after: AgaveBalances;
}

export interface AgaveBlock {
  readonly slot: number;
  readonly parentSlot: number;
  /** blocks below it: slots are skipped, heights are not */
  readonly height: number;
  /** seconds since 1970 */
  readonly time: number;
  readonly blockhash: string;
  readonly previousBlockhash: string;
  readonly transactions: readonly AgaveLanded[];
  /** micro-lamports for a compute unit that the slot asked for at least */
  readonly unitPriceFloor: bigint;
  /** the former state of the accounts that it changed; none once it is final, for no fork undoes it then */
  readonly undo: AgaveAccountChanges;
}

const text = (...parts: readonly (string | number)[]): string =>
  base58.encode(sha256(utf8ToBytes(JSON.stringify(parts))));

/** @param genesisHash where there is no block before */
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
