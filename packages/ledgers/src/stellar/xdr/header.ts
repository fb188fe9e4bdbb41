import { xdrHash } from "./account.ts";
import {
  type XdrValue,
  xdrBytes,
  xdrI64,
  xdrList,
  xdrNoExtension,
  xdrStruct,
  xdrU32,
  xdrU64,
  xdrUnion,
  xdrVoid,
  xdrWritten,
} from "./codec.ts";

const UPGRADE_BYTES_MAX = 128;
const MOST_UPGRADES = 6;
const MOST_TRANSACTIONS = 10_000;

export const xdrLedgerHeader = xdrStruct({
  version: xdrU32,
  previous: xdrHash,
  value: xdrStruct({
    transactionSet: xdrHash,
    closedAt: xdrU64,
    upgrades: xdrList(xdrBytes(UPGRADE_BYTES_MAX), MOST_UPGRADES),
    extension: xdrUnion("extension", { basic: [0, xdrVoid] }),
  }),
  results: xdrHash,
  entries: xdrHash,
  sequence: xdrU32,
  totalCoins: xdrI64,
  feePool: xdrI64,
  inflationSequence: xdrU32,
  idPool: xdrU64,
  baseFee: xdrU32,
  baseReserve: xdrU32,
  mostOperations: xdrU32,
  skipped0: xdrHash,
  skipped1: xdrHash,
  skipped2: xdrHash,
  skipped3: xdrHash,
  extension: xdrNoExtension,
});

export type HorizonHeader = XdrValue<typeof xdrLedgerHeader>;

/** The result of a ledger's close, in the protocol's first and simplest form. */
export const xdrLedgerCloseMeta = xdrUnion("close", {
  v0: [
    0,
    xdrStruct({
      header: xdrStruct({ hash: xdrHash, header: xdrLedgerHeader, extension: xdrNoExtension }),
      previous: xdrHash,
      envelopes: xdrList(xdrWritten, MOST_TRANSACTIONS),
      processing: xdrList(
        xdrStruct({ result: xdrWritten, fees: xdrWritten, meta: xdrWritten }),
        MOST_TRANSACTIONS,
      ),
      upgrades: xdrList(xdrVoid, 0),
      consensus: xdrList(xdrVoid, 0),
    }),
  ],
});
