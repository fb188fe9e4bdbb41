import {
  type AuthorisedTransaction,
  type AuthorisedTransfer,
  authorisedTransactionSchema,
  authorisedTransferSchema,
  type ExactTransaction,
  type FamilyContent,
} from "@conclave/custody";

/** Acts as the gateway authorises them, for a family whose callers give whole bytes. @param sender the wallet's address */
export const exactSamples = <Transfer extends FamilyContent, Transaction extends ExactTransaction>(
  network: string,
  sender: string,
) => {
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
    /** Authorises a transfer. */
    ofTransfer: (transfer: Transfer, change: object = {}): AuthorisedTransfer =>
      authorisedTransferSchema.parse({
        ...common,
        kind: "transfer",
        requestId: "xfr-aaaaa-bbbbb-ccccccccccccccc",
        transfer,
        ...change,
      }),
    /** Authorises a caller's own bytes. */
    ofBytes: (unsigned: Uint8Array, change: Partial<Transaction> = {}): AuthorisedTransaction =>
      authorisedTransactionSchema.parse({
        ...common,
        kind: "transaction",
        requestId: "tx-aaaaa-bbbbb-ccccccccccccccc",
        transaction: {
          kind: "Exact",
          from: sender,
          unsigned: Buffer.from(unsigned).toString("hex"),
          ...change,
        },
      }),
  };
};
