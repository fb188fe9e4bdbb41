import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, concatBytes, utf8ToBytes } from "@noble/hashes/utils.js";
import type { HorizonAddress } from "./address.ts";
import { STELLAR_SUPPLY } from "./genesis.ts";
import { participantsOf } from "./participants.ts";
import type { HorizonSubmission } from "./transaction/submission.ts";
import { encodeXdr } from "./xdr/codec.ts";
import type { HorizonContractEvent } from "./xdr/event.ts";
import { type HorizonHeader, xdrLedgerHeader } from "./xdr/header.ts";
import type { HorizonChanges } from "./xdr/meta.ts";
import { type HorizonMeta, xdrChanges, xdrTransactionMeta } from "./xdr/meta.ts";
import { type HorizonResult, xdrTransactionResult } from "./xdr/result.ts";

/** The protocol whose rules this ledger keeps, for operations that it carries out. */
export const PROTOCOL_VERSION = 23;
/** stroops: half a lumen for each entry that an account keeps in the ledger */
export const BASE_RESERVE = 5_000_000n;
/** Operations that a ledger takes. */
export const MOST_OPERATIONS_IN_LEDGER = 1_000;

const NOTHING = new Uint8Array(32);

/** A transaction as a ledger carried it out. */
interface Made {
  readonly submission: HorizonSubmission;
  readonly ledger: number;
  /** seconds since 1970 */
  readonly closedAt: bigint;
  /** from 1, in the order in which the ledger carried them out */
  readonly order: number;
  readonly result: HorizonResult;
}

/** A transaction in a closed ledger, without what only its XDR has to say. */
export interface HorizonRecord extends Made {
  /** hashes that it is found by: its own, and that of what a fee bump carries */
  readonly names: readonly string[];
  readonly resultXdr: Uint8Array;
  /** the changes by the fee */
  readonly feesXdr: Uint8Array;
  readonly metaXdr: Uint8Array;
  /** the events of contracts, by operation */
  readonly events: readonly (readonly HorizonContractEvent[])[];
  readonly participants: ReadonlySet<HorizonAddress>;
}

export interface HorizonLedger {
  readonly header: HorizonHeader;
  /** SHA-256 of the header */
  readonly hash: Uint8Array;
  readonly transactions: readonly HorizonRecord[];
  /** stroops that each operation paid */
  readonly price: bigint;
}

export const recordOf = (made: Made, fees: HorizonChanges, meta: HorizonMeta): HorizonRecord => ({
  ...made,
  names: [...new Set([made.submission.id, bytesToHex(made.submission.hash)])],
  resultXdr: encodeXdr(xdrTransactionResult, made.result),
  feesXdr: encodeXdr(xdrChanges, fees),
  metaXdr: encodeXdr(xdrTransactionMeta, meta),
  events: meta.operations.map(({ events }) => events),
  participants: participantsOf(made.submission, fees, meta),
});

interface Closing {
  readonly sequence: number;
  readonly closedAt: bigint;
  readonly previous: Uint8Array;
  readonly feePool: bigint;
  readonly baseFee: bigint;
  readonly price: bigint;
  readonly transactions: readonly HorizonRecord[];
}

/** A closed ledger. Its commitment to its entries is none: there is no archive to compare with. */
export const makeLedger = (closing: Closing): HorizonLedger => {
  const { sequence, closedAt, previous, feePool, baseFee, price, transactions } = closing;
  const envelopes = transactions.map(({ submission }) => submission.bytes);
  const header: HorizonHeader = {
    version: PROTOCOL_VERSION,
    previous,
    value: {
      transactionSet: sha256(concatBytes(previous, ...envelopes)),
      closedAt,
      upgrades: [],
      extension: undefined,
    },
    results: sha256(concatBytes(...transactions.map(({ resultXdr }) => resultXdr))),
    entries: sha256(utf8ToBytes("simulated")),
    sequence,
    totalCoins: STELLAR_SUPPLY,
    feePool,
    inflationSequence: 0,
    idPool: 0n,
    baseFee: Number(baseFee),
    baseReserve: Number(BASE_RESERVE),
    mostOperations: MOST_OPERATIONS_IN_LEDGER,
    skipped: [NOTHING, NOTHING, NOTHING, NOTHING],
    extension: undefined,
  };
  return { header, hash: sha256(encodeXdr(xdrLedgerHeader, header)), transactions, price };
};
