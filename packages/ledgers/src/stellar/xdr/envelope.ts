import { HASH_BYTES, xdrHash, xdrMuxedAccount, xdrSignerKey } from "./account.ts";
import {
  type XdrValue,
  xdrBytes,
  xdrFixed,
  xdrI64,
  xdrList,
  xdrMapped,
  xdrNoExtension,
  xdrNotSimulated,
  xdrOptional,
  xdrStruct,
  xdrU32,
  xdrU64,
  xdrUnion,
  xdrVoid,
} from "./codec.ts";
import { xdrSorobanData } from "./invocation.ts";
import { xdrOperation } from "./operation.ts";

const MEMO_BYTES_MAX = 28;
const HINT_BYTES = 4;
const SIGNATURE_BYTES_MAX = 64;
const MOST_SIGNATURES = 20;
const MOST_OPERATIONS = 100;
const MOST_EXTRA_SIGNERS = 2;

const xdrTimeBounds = xdrStruct({ minimum: xdrU64, maximum: xdrU64 });
const xdrConditions = xdrStruct({
  timeBounds: xdrOptional(xdrTimeBounds),
  ledgerBounds: xdrOptional(xdrStruct({ minimum: xdrU32, maximum: xdrU32 })),
  minimumSequence: xdrOptional(xdrI64),
  minimumSequenceAge: xdrU64,
  minimumSequenceLedgerGap: xdrU32,
  extraSigners: xdrList(xdrSignerKey, MOST_EXTRA_SIGNERS),
});

/** When a transaction may happen. */
const xdrPreconditions = xdrUnion("preconditions", {
  none: [0, xdrVoid],
  time: [1, xdrTimeBounds],
  v2: [2, xdrConditions],
});

const xdrMemo = xdrUnion("memo", {
  none: [0, xdrVoid],
  text: [1, xdrBytes(MEMO_BYTES_MAX)],
  id: [2, xdrU64],
  hash: [3, xdrFixed(HASH_BYTES)],
  return: [4, xdrFixed(HASH_BYTES)],
});

const xdrTransaction = xdrStruct({
  source: xdrMuxedAccount,
  fee: xdrU32,
  sequence: xdrI64,
  preconditions: xdrPreconditions,
  memo: xdrMemo,
  operations: xdrList(xdrOperation, MOST_OPERATIONS),
  extension: xdrUnion("extension", { none: [0, xdrVoid], soroban: [1, xdrSorobanData] }),
});

const xdrSignatures = xdrList(
  xdrStruct({ hint: xdrFixed(HINT_BYTES), signature: xdrBytes(SIGNATURE_BYTES_MAX) }),
  MOST_SIGNATURES,
);

const xdrSigned = xdrStruct({ transaction: xdrTransaction, signatures: xdrSignatures });

const xdrFeeBump = xdrStruct({
  feeSource: xdrMuxedAccount,
  fee: xdrI64,
  inner: xdrMapped(
    xdrUnion("inner transaction", { transaction: [2, xdrSigned] }),
    ({ value }) => value,
    (value) => ({ type: "transaction" as const, value }),
  ),
  extension: xdrNoExtension,
});

export const xdrEnvelope = xdrUnion("envelope", {
  version0: [0, xdrNotSimulated("envelopes of version 0")],
  transaction: [2, xdrSigned],
  feeBump: [5, xdrStruct({ feeBump: xdrFeeBump, signatures: xdrSignatures })],
});

/** The signed payload: the network's id, so that it means nothing on another, and the transaction. */
export const xdrSignaturePayload = xdrStruct({
  networkId: xdrHash,
  tagged: xdrUnion("transaction", { transaction: [2, xdrTransaction], feeBump: [5, xdrFeeBump] }),
});

export type HorizonMemo = XdrValue<typeof xdrMemo>;
export type HorizonTransaction = XdrValue<typeof xdrTransaction>;
export type HorizonSignature = XdrValue<typeof xdrSignatures>[number];
export type HorizonConditions = XdrValue<typeof xdrConditions>;
