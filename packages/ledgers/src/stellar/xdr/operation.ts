import { xdrAccountId, xdrMuxedAccount, xdrSigner } from "./account.ts";
import { xdrAsset, xdrAssetCode, xdrChangeTrustAsset } from "./asset.ts";
import {
  type XdrValue,
  xdrBytes,
  xdrI64,
  xdrMapped,
  xdrNumber,
  xdrOptional,
  xdrStruct,
  xdrUnion,
} from "./codec.ts";
import { xdrInvokeHostFunction } from "./invocation.ts";
import { xdr } from "./sdk.ts";

const optionalNumber = xdrOptional(xdrNumber);
const xdrBumpSequence = xdrMapped(
  xdrStruct(xdr.BumpSequenceOp, { bumpTo: xdrI64 }),
  ({ bumpTo }) => bumpTo,
  (bumpTo: bigint) => ({ bumpTo }),
);

/** The operations that this ledger implements. */
const xdrOperationBody = xdrUnion(xdr.OperationBody, {
  createAccount: xdrStruct(xdr.CreateAccountOp, { destination: xdrAccountId, startingBalance: xdrI64 }),
  payment: xdrStruct(xdr.PaymentOp, { destination: xdrMuxedAccount, asset: xdrAsset, amount: xdrI64 }),
  setOptions: xdrStruct(xdr.SetOptionsOp, {
    inflationDestination: ["inflationDest", xdrOptional(xdrAccountId)],
    clearFlags: optionalNumber,
    setFlags: optionalNumber,
    masterWeight: optionalNumber,
    lowThreshold: optionalNumber,
    mediumThreshold: ["medThreshold", optionalNumber],
    highThreshold: optionalNumber,
    homeDomain: xdrOptional(xdrBytes),
    signer: xdrOptional(xdrSigner),
  }),
  changeTrust: xdrStruct(xdr.ChangeTrustOp, { line: xdrChangeTrustAsset, limit: xdrI64 }),
  allowTrust: xdrStruct(xdr.AllowTrustOp, {
    trustor: xdrAccountId,
    asset: xdrAssetCode,
    authorize: xdrNumber,
  }),
  accountMerge: xdrMuxedAccount,
  manageData: xdrStruct(xdr.ManageDataOp, {
    name: ["dataName", xdrBytes],
    value: ["dataValue", xdrOptional(xdrBytes)],
  }),
  bumpSequence: xdrBumpSequence,
  setTrustLineFlags: xdrStruct(xdr.SetTrustLineFlagsOp, {
    trustor: xdrAccountId,
    asset: xdrAsset,
    clearFlags: xdrNumber,
    setFlags: xdrNumber,
  }),
  invokeHostFunction: xdrInvokeHostFunction,
});

export const xdrOperation = xdrStruct(xdr.Operation, {
  source: ["sourceAccount", xdrOptional(xdrMuxedAccount)],
  body: xdrOperationBody,
});

export type HorizonOperation = XdrValue<typeof xdrOperation>;
export type HorizonOperationBody = XdrValue<typeof xdrOperationBody>;
/** The body of an operation of one type. */
export type HorizonActOf<Type extends HorizonOperationBody["type"]> = Extract<
  HorizonOperationBody,
  { readonly type: Type }
>["value"];
