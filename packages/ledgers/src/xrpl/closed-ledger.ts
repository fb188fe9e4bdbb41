import { hexToBytes, utf8ToBytes } from "@noble/hashes/utils.js";
import type { LedgerJson } from "../json.ts";
import type { RippledAddress } from "./address.ts";
import type { RippledAccount } from "./books.ts";
import { rippledDigest, rippledHashPrefix, rippledHex, rippledUint32, rippledUint64 } from "./digest.ts";
import type { RippledEngineResult } from "./engine-result.ts";
import type { RippledTransaction } from "./transaction/transaction.ts";

export interface RippledValidated {
  readonly transaction: RippledTransaction;
  readonly result: RippledEngineResult;
  readonly metadata: LedgerJson;
  readonly index: number;
  /** the accounts that it changed */
  readonly affected: ReadonlySet<RippledAddress>;
}

/** A ledger that is closed and validated: the XRP Ledger has no reorganisations. */
export interface RippledLedger {
  readonly index: number;
  readonly hash: string;
  readonly parentHash: string;
  readonly transactionHash: string;
  readonly accountHash: string;
  /** seconds since 2000 */
  readonly closeTime: number;
  readonly parentCloseTime: number;
  readonly totalDrops: bigint;
  readonly transactions: ReadonlyMap<string, RippledValidated>;
  /** the former state of the accounts that it changed; undefined for an account that did not exist */
  readonly before: ReadonlyMap<RippledAddress, RippledAccount | undefined>;
}

export const CLOSE_TIME_RESOLUTION_S = 10;
const CLOSE_FLAGS = 0;
export const NO_LEDGER_HASH = "0".repeat(64);

export type RippledLedgerContent = Omit<RippledLedger, "hash" | "transactionHash" | "accountHash">;

/** @source rippled, src/libxrpl/protocol/LedgerHeader.cpp: calculateLedgerHash */
const headerHash = (content: RippledLedgerContent, transactions: Uint8Array, accounts: Uint8Array): string =>
  rippledHex(
    rippledDigest(
      rippledHashPrefix("LWR"),
      rippledUint32(content.index),
      rippledUint64(content.totalDrops),
      hexToBytes(content.parentHash),
      transactions,
      accounts,
      rippledUint32(content.parentCloseTime),
      rippledUint32(content.closeTime),
      Uint8Array.of(CLOSE_TIME_RESOLUTION_S, CLOSE_FLAGS),
    ),
  );

/**
 * Computes a ledger's hash. Its header commits to digests of its transactions and their changes, not to the trees of a
 * real node: no reader of ledgers that uses the client verifies membership.
 */
export const makeRippledLedger = (content: RippledLedgerContent): RippledLedger => {
  const names = [...content.transactions.values()].map(
    ({ transaction, result }) => `${transaction.hash}${result}`,
  );
  const transactions =
    names.length === 0 ? hexToBytes(NO_LEDGER_HASH) : rippledDigest(utf8ToBytes(names.join()));
  const accounts = rippledDigest(hexToBytes(content.parentHash), transactions);
  return {
    ...content,
    hash: headerHash(content, transactions, accounts),
    transactionHash: rippledHex(transactions),
    accountHash: rippledHex(accounts),
  };
};
