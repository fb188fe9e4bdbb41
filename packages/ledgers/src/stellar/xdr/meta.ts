import {
  type XdrValue,
  xdrEnum,
  xdrI64,
  xdrList,
  xdrMapped,
  xdrNoExtension,
  xdrOnly,
  xdrOnlyWritten,
  xdrOptional,
  xdrStruct,
  xdrUnion,
} from "./codec.ts";
import { xdrContractValue } from "./contract-value.ts";
import { xdrContractEvent, xdrDiagnosticEvent } from "./event.ts";
import { xdrLedgerEntry } from "./ledger-entry.ts";
import { xdrLedgerKey } from "./ledger-key.ts";
import { xdr } from "./sdk.ts";

const xdrChangeList = xdrList(
  xdrUnion(xdr.LedgerEntryChange, {
    created: ["ledgerEntryCreated", xdrLedgerEntry],
    updated: ["ledgerEntryUpdated", xdrLedgerEntry],
    removed: ["ledgerEntryRemoved", xdrLedgerKey],
    state: ["ledgerEntryState", xdrLedgerEntry],
  }),
);

/** The changes of ledger entries by a transaction: each with its state before and after. */
export type HorizonChanges = XdrValue<typeof xdrChangeList>;

/** A bare list of changes. The SDK cannot serialise lists, so a struct with one field stands for it. */
export const xdrChanges = xdrMapped(
  xdrStruct(xdr.OperationMeta, { changes: xdrChangeList }),
  ({ changes }): HorizonChanges => changes,
  (changes) => ({ changes }),
);

/** A list of changes that is already encoded. */
export const xdrWrittenChanges = xdrOnlyWritten((bytes: Uint8Array) =>
  xdr.OperationMeta.fromXDR(Buffer.from(bytes)).changes(),
);

const noExtension = xdrNoExtension(xdr.ExtensionPoint);

const xdrSorobanMeta = xdrStruct(xdr.SorobanTransactionMetaV2, {
  extension: [
    "ext",
    xdrUnion(xdr.SorobanTransactionMetaExt, {
      none: 0,
      fees: [
        1,
        xdrStruct(xdr.SorobanTransactionMetaExtV1, {
          extension: ["ext", noExtension],
          nonRefundable: ["totalNonRefundableResourceFeeCharged", xdrI64],
          refundable: ["totalRefundableResourceFeeCharged", xdrI64],
          rent: ["rentFeeCharged", xdrI64],
        }),
      ],
    }),
  ],
  returned: ["returnValue", xdrOptional(xdrContractValue)],
});

const xdrMetaV4 = xdrStruct(xdr.TransactionMetaV4, {
  extension: ["ext", noExtension],
  before: ["txChangesBefore", xdrChangeList],
  operations: xdrList(
    xdrStruct(xdr.OperationMetaV2, {
      extension: ["ext", noExtension],
      changes: xdrChangeList,
      events: xdrList(xdrContractEvent),
    }),
  ),
  after: ["txChangesAfter", xdrChangeList],
  soroban: ["sorobanMeta", xdrOptional(xdrSorobanMeta)],
  events: xdrList(xdrStruct(xdr.TransactionEvent, { stage: xdrEnum(), event: xdrContractEvent })),
  diagnostics: ["diagnosticEvents", xdrList(xdrDiagnosticEvent)],
});

/** Version 4, as of protocol 23. @source CAP-67 */
export const xdrTransactionMeta = xdrOnly(xdr.TransactionMeta, 4, xdrMetaV4);

export type HorizonMeta = XdrValue<typeof xdrMetaV4>;
