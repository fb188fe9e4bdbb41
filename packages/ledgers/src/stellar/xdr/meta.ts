import {
  type XdrValue,
  xdrI32,
  xdrI64,
  xdrList,
  xdrNoExtension,
  xdrOptional,
  xdrStruct,
  xdrUnion,
  xdrVoid,
} from "./codec.ts";
import { xdrContractValue } from "./contract-value.ts";
import { xdrContractEvent, xdrDiagnosticEvent } from "./event.ts";
import { xdrLedgerEntry } from "./ledger-entry.ts";
import { xdrLedgerKey } from "./ledger-key.ts";

const MOST_CHANGES = 100_000;
const MOST_EVENTS = 1_000;

export const xdrChanges = xdrList(
  xdrUnion("change", {
    created: [0, xdrLedgerEntry],
    updated: [1, xdrLedgerEntry],
    removed: [2, xdrLedgerKey],
    state: [3, xdrLedgerEntry],
  }),
  MOST_CHANGES,
);

/** The changes of the ledger's entries by a transaction: each as it was, and as it is. */
export type HorizonChanges = XdrValue<typeof xdrChanges>;

const xdrSorobanMeta = xdrStruct({
  extension: xdrUnion("extension", {
    none: [0, xdrVoid],
    fees: [
      1,
      xdrStruct({
        extension: xdrNoExtension,
        nonRefundable: xdrI64,
        refundable: xdrI64,
        rent: xdrI64,
      }),
    ],
  }),
  returned: xdrOptional(xdrContractValue),
});

const xdrMetaV4 = xdrStruct({
  extension: xdrNoExtension,
  before: xdrChanges,
  operations: xdrList(
    xdrStruct({
      extension: xdrNoExtension,
      changes: xdrChanges,
      events: xdrList(xdrContractEvent, MOST_EVENTS),
    }),
    MOST_EVENTS,
  ),
  after: xdrChanges,
  soroban: xdrOptional(xdrSorobanMeta),
  events: xdrList(xdrStruct({ stage: xdrI32, event: xdrContractEvent }), MOST_EVENTS),
  diagnostics: xdrList(xdrDiagnosticEvent, MOST_EVENTS),
});

/** Version 4, as of protocol 23. @source CAP-67 */
export const xdrTransactionMeta = xdrUnion("meta", { v4: [4, xdrMetaV4] });

export type HorizonMeta = XdrValue<typeof xdrMetaV4>;
