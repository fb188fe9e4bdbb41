import {
  type AuthorisedTransaction,
  type AuthorisedTransfer,
  authorisedTransactionSchema,
  authorisedTransferSchema,
} from "@conclave/custody";
import type { ExactTransaction } from "../../rules/exact-act.ts";

/** Authorises the acts of a wallet on a network as the gateway does. */
export const authorisedActs = <Transfer extends object, Transaction extends object>(network: string) => {
  const common = {
    version: 2,
    orgId: "or-aaaaa-bbbbb-ccccccccccccccc",
    walletId: "wa-aaaaa-bbbbb-ccccccccccccccc",
    keyId: "key-aaaaa-bbbbb-ccccccccccccccc",
    cosigners: [],
    network,
    policy: { outcome: "Allowed", policies: [], date: "2026-01-01T00:00:00.000Z" },
    dateRequested: "2026-01-01T00:00:00.000Z",
  };
  return {
    ofTransfer: (transfer: Transfer, change: object = {}): AuthorisedTransfer =>
      authorisedTransferSchema.parse({
        ...common,
        kind: "transfer",
        requestId: "xfr-aaaaa-bbbbb-ccccccccccccccc",
        transfer,
        ...change,
      }),
    ofTransaction: (transaction: Transaction, change: object = {}): AuthorisedTransaction =>
      authorisedTransactionSchema.parse({
        ...common,
        kind: "transaction",
        requestId: "tx-aaaaa-bbbbb-ccccccccccccccc",
        transaction,
        ...change,
      }),
  };
};

/** Like `authorisedActs`, for a family with exact-bytes transactions. @param from the wallet's address */
export const exactActs = <Transfer extends object, Transaction extends ExactTransaction>(
  network: string,
  from: string,
) => {
  const { ofTransfer, ofTransaction } = authorisedActs<Transfer, ExactTransaction>(network);
  return {
    ofTransfer,
    ofBytes: (bytes: Uint8Array, change: Partial<Transaction> = {}): AuthorisedTransaction =>
      ofTransaction({ kind: "Exact", from, unsigned: Buffer.from(bytes).toString("hex"), ...change }),
  };
};
