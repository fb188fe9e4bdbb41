import {
  type XdrCodec,
  type XdrValue,
  xdrBytes,
  xdrI64,
  xdrList,
  xdrMapped,
  xdrNested,
  xdrNumber,
  xdrStruct,
  xdrUnion,
} from "./codec.ts";
import { xdrContractAddress, xdrContractValue } from "./contract-value.ts";
import { xdrLedgerKey } from "./ledger-key.ts";
import { xdr } from "./sdk.ts";

const xdrContractCall = xdrStruct(xdr.InvokeContractArgs, {
  contract: ["contractAddress", xdrContractAddress],
  name: ["functionName", xdrBytes],
  arguments: ["args", xdrList(xdrContractValue)],
});

/** A contract function with its arguments. */
export type HorizonContractCall = XdrValue<typeof xdrContractCall>;

const xdrHostFunction = xdrUnion(xdr.HostFunction, {
  invokeContract: ["hostFunctionTypeInvokeContract", xdrContractCall],
});

const xdrAuthorizedFunction = xdrUnion(xdr.SorobanAuthorizedFunction, {
  contractCall: ["sorobanAuthorizedFunctionTypeContractFn", xdrContractCall],
});

export interface HorizonAuthorizedCall {
  readonly function: XdrValue<typeof xdrAuthorizedFunction>;
  readonly within: readonly HorizonAuthorizedCall[];
}

const xdrAuthorizedCall: XdrCodec<HorizonAuthorizedCall> = xdrStruct(xdr.SorobanAuthorizedInvocation, {
  function: xdrAuthorizedFunction,
  within: ["subInvocations", xdrList(xdrNested(() => xdrAuthorizedCall))],
});

export const xdrAuthorization = xdrStruct(xdr.SorobanAuthorizationEntry, {
  credentials: xdrUnion(xdr.SorobanCredentials, {
    sourceAccount: "sorobanCredentialsSourceAccount",
  }),
  call: ["rootInvocation", xdrAuthorizedCall],
});

export const xdrInvokeHostFunction = xdrStruct(xdr.InvokeHostFunctionOp, {
  function: ["hostFunction", xdrHostFunction],
  authorizations: ["auth", xdrList(xdrAuthorization)],
});

const xdrFootprint = xdrStruct(xdr.LedgerFootprint, {
  readOnly: xdrList(xdrLedgerKey),
  readWrite: xdrList(xdrLedgerKey),
});

const xdrResources = xdrStruct(xdr.SorobanResources, {
  footprint: xdrFootprint,
  instructions: xdrNumber,
  readBytes: ["diskReadBytes", xdrNumber],
  writeBytes: xdrNumber,
});

const xdrSorobanWire = xdrStruct(xdr.SorobanTransactionData, {
  extension: [
    "ext",
    xdrUnion(xdr.SorobanTransactionDataExt, {
      none: 0,
      archivedEntries: [
        1,
        xdrStruct(xdr.SorobanResourcesExtV0, { entries: ["archivedSorobanEntries", xdrList(xdrNumber)] }),
      ],
    }),
  ],
  resources: xdrResources,
  resourceFee: xdrI64,
});

type SorobanWire = XdrValue<typeof xdrSorobanWire>;

/** The sender's declared limits on a contract call's reads, writes and fee. */
export type HorizonSorobanData = Omit<SorobanWire, "resources"> & SorobanWire["resources"];

export const xdrSorobanData = xdrMapped(
  xdrSorobanWire,
  ({ resources, ...data }): HorizonSorobanData => ({ ...data, ...resources }),
  ({ extension, resourceFee, ...resources }): SorobanWire => ({ extension, resourceFee, resources }),
);

export type HorizonInvocation = XdrValue<typeof xdrInvokeHostFunction>;
export type HorizonFootprint = XdrValue<typeof xdrFootprint>;
