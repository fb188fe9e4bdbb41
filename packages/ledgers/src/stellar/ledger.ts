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

/** The protocol version whose rules this ledger follows, for the operations that it implements. */
export const PROTOCOL_VERSION = 23;
/** stroops: half a lumen for each ledger entry of an account */
export const BASE_RESERVE = 5_000_000n;
/** Maximum number of operations in a ledger. */
export const MOST_OPERATIONS_IN_LEDGER = 1_000;

const NOTHING = new Uint8Array(32);

/** A transaction with its result in a ledger. */
interface Made {
  readonly submission: HorizonSubmission;
  readonly ledger: number;
  /** seconds since 1970 */
  readonly closedAt: bigint;
  /** from 1, in the order in which the ledger carried them out */
  readonly order: number;
  readonly result: HorizonResult;
}

/** A transaction in a closed ledger, with the parts that only its XDR shows kept encoded. */
export interface HorizonRecord extends Made {
  /** the hashes by which it is found: its own and, for a fee bump, the inner transaction's */
  readonly names: readonly string[];
  readonly resultXdr: Uint8Array;
  /** the changes of entries when the fee was charged */
  readonly feesXdr: Uint8Array;
  readonly metaXdr: Uint8Array;
  /** events of contracts, by operation */
  readonly events: readonly (readonly HorizonContractEvent[])[];
  readonly participants: ReadonlySet<HorizonAddress>;
}

export interface HorizonLedger {
  readonly header: HorizonHeader;
  /** SHA-256 of the header */
  readonly hash: Uint8Array;
  readonly transactions: readonly HorizonRecord[];
  /** stroops per operation */
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

/**
 * Makes a closed ledger. Its header has no commitment to the ledger's entries, because there is no history archive to
 * verify it with.
 */
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
