import {
  type XdrValue,
  xdrBytes,
  xdrI64,
  xdrList,
  xdrNoExtension,
  xdrNumber,
  xdrOnly,
  xdrOnlyWritten,
  xdrStruct,
  xdrU64,
  xdrVoid,
  xdrWritten,
} from "./codec.ts";
import { xdrWrittenChanges } from "./meta.ts";
import { xdr } from "./sdk.ts";

export const xdrLedgerHeader = xdrStruct(xdr.LedgerHeader, {
  version: ["ledgerVersion", xdrNumber],
  previous: ["previousLedgerHash", xdrBytes],
  value: [
    "scpValue",
    xdrStruct(xdr.StellarValue, {
      transactionSet: ["txSetHash", xdrBytes],
      closedAt: ["closeTime", xdrU64],
      upgrades: xdrList(xdrBytes),
      extension: ["ext", xdrOnly(xdr.StellarValueExt, "stellarValueBasic", xdrVoid)],
    }),
  ],
  results: ["txSetResultHash", xdrBytes],
  entries: ["bucketListHash", xdrBytes],
  sequence: ["ledgerSeq", xdrNumber],
  totalCoins: xdrI64,
  feePool: xdrI64,
  inflationSequence: ["inflationSeq", xdrNumber],
  idPool: xdrU64,
  baseFee: xdrNumber,
  baseReserve: xdrNumber,
  mostOperations: ["maxTxSetSize", xdrNumber],
  skipped: ["skipList", xdrList(xdrBytes)],
  extension: ["ext", xdrNoExtension(xdr.LedgerHeaderExt)],
});

export type HorizonHeader = XdrValue<typeof xdrLedgerHeader>;

const xdrNone = xdrOnlyWritten((none: readonly never[]) => none);

/** The meta of a ledger's close, in version 0, the simplest. */
export const xdrLedgerCloseMeta = xdrOnly(
  xdr.LedgerCloseMeta,
  0,
  xdrStruct(xdr.LedgerCloseMetaV0, {
    header: [
      "ledgerHeader",
      xdrStruct(xdr.LedgerHeaderHistoryEntry, {
        hash: xdrBytes,
        header: xdrLedgerHeader,
        extension: ["ext", xdrNoExtension(xdr.LedgerHeaderHistoryEntryExt)],
      }),
    ],
    transactionSet: [
      "txSet",
      xdrStruct(xdr.TransactionSet, {
        previous: ["previousLedgerHash", xdrBytes],
        envelopes: ["txes", xdrList(xdrWritten(xdr.TransactionEnvelope))],
      }),
    ],
    processing: [
      "txProcessing",
      xdrList(
        xdrStruct(xdr.TransactionResultMeta, {
          result: xdrWritten(xdr.TransactionResultPair),
          fees: ["feeProcessing", xdrWrittenChanges],
          meta: ["txApplyProcessing", xdrWritten(xdr.TransactionMeta)],
        }),
      ),
    ],
    upgrades: ["upgradesProcessing", xdrNone],
    consensus: ["scpInfo", xdrNone],
  }),
);
