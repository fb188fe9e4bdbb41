import { xdrMuxedAccount, xdrSignerKey } from "./account.ts";
import {
  type XdrValue,
  xdrBytes,
  xdrI64,
  xdrList,
  xdrNoExtension,
  xdrNumber,
  xdrOnly,
  xdrOptional,
  xdrStruct,
  xdrU64,
  xdrUnion,
} from "./codec.ts";
import { xdrSorobanData } from "./invocation.ts";
import { xdrOperation } from "./operation.ts";
import { xdr } from "./sdk.ts";

const xdrTimeBounds = xdrStruct(xdr.TimeBounds, {
  minimum: ["minTime", xdrU64],
  maximum: ["maxTime", xdrU64],
});
const xdrLedgerBounds = xdrStruct(xdr.LedgerBounds, {
  minimum: ["minLedger", xdrNumber],
  maximum: ["maxLedger", xdrNumber],
});
const xdrConditions = xdrStruct(xdr.PreconditionsV2, {
  timeBounds: xdrOptional(xdrTimeBounds),
  ledgerBounds: xdrOptional(xdrLedgerBounds),
  minimumSequence: ["minSeqNum", xdrOptional(xdrI64)],
  minimumSequenceAge: ["minSeqAge", xdrU64],
  minimumSequenceLedgerGap: ["minSeqLedgerGap", xdrNumber],
  extraSigners: xdrList(xdrSignerKey),
});

/** The preconditions of a transaction. */
const xdrPreconditions = xdrUnion(xdr.Preconditions, {
  none: "precondNone",
  time: ["precondTime", xdrTimeBounds],
  v2: ["precondV2", xdrConditions],
});

const xdrMemo = xdrUnion(xdr.Memo, {
  none: "memoNone",
  text: ["memoText", xdrBytes],
  id: ["memoId", xdrU64],
  hash: ["memoHash", xdrBytes],
  return: ["memoReturn", xdrBytes],
});

const xdrTransaction = xdrStruct(xdr.Transaction, {
  source: ["sourceAccount", xdrMuxedAccount],
  fee: xdrNumber,
  sequence: ["seqNum", xdrI64],
  preconditions: ["cond", xdrPreconditions],
  memo: xdrMemo,
  operations: xdrList(xdrOperation),
  extension: ["ext", xdrUnion(xdr.TransactionExt, { none: 0, soroban: [1, xdrSorobanData] })],
});

const xdrSignatures = xdrList(xdrStruct(xdr.DecoratedSignature, { hint: xdrBytes, signature: xdrBytes }));

const xdrSigned = xdrStruct(xdr.TransactionV1Envelope, {
  transaction: ["tx", xdrTransaction],
  signatures: xdrSignatures,
});

const xdrInner = xdrOnly(xdr.FeeBumpTransactionInnerTx, "envelopeTypeTx", xdrSigned);

const xdrFeeBump = xdrStruct(xdr.FeeBumpTransaction, {
  feeSource: xdrMuxedAccount,
  fee: xdrI64,
  inner: ["innerTx", xdrInner],
  extension: ["ext", xdrNoExtension(xdr.FeeBumpTransactionExt)],
});

export const xdrEnvelope = xdrUnion(xdr.TransactionEnvelope, {
  transaction: ["envelopeTypeTx", xdrSigned],
  feeBump: [
    "envelopeTypeTxFeeBump",
    xdrStruct(xdr.FeeBumpTransactionEnvelope, { feeBump: ["tx", xdrFeeBump], signatures: xdrSignatures }),
  ],
});

/**
 * The payload that signatures sign: the transaction with the network's id, so that a signature is invalid on other
 * networks.
 */
export const xdrSignaturePayload = xdrStruct(xdr.TransactionSignaturePayload, {
  networkId: xdrBytes,
  tagged: [
    "taggedTransaction",
    xdrUnion(xdr.TransactionSignaturePayloadTaggedTransaction, {
      transaction: ["envelopeTypeTx", xdrTransaction],
      feeBump: ["envelopeTypeTxFeeBump", xdrFeeBump],
    }),
  ],
});

export type HorizonMemo = XdrValue<typeof xdrMemo>;
export type HorizonTransaction = XdrValue<typeof xdrTransaction>;
export type HorizonSignature = XdrValue<typeof xdrSignatures>[number];
export type HorizonConditions = XdrValue<typeof xdrConditions>;
