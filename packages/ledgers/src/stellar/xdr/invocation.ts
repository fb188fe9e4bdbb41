import {
  type XdrCodec,
  type XdrValue,
  xdrBytes,
  xdrI64,
  xdrList,
  xdrNested,
  xdrNotSimulated,
  xdrStruct,
  xdrU32,
  xdrUnion,
  xdrVoid,
} from "./codec.ts";
import { xdrContractAddress, xdrContractValue } from "./contract-value.ts";
import { xdrLedgerKey } from "./ledger-key.ts";

const MOST_ARGUMENTS = 100;
const MOST_AUTHORIZATIONS = 100;
const MOST_KEYS = 100;
const NAME_BYTES_MAX = 32;

const xdrContractCall = xdrStruct({
  contract: xdrContractAddress,
  name: xdrBytes(NAME_BYTES_MAX),
  arguments: xdrList(xdrContractValue, MOST_ARGUMENTS),
});

const CREATION = xdrNotSimulated("the creation of contracts");

/** A function of a contract, and what it is given. */
export type HorizonContractCall = XdrValue<typeof xdrContractCall>;

const xdrHostFunction = xdrUnion("host function", {
  invokeContract: [0, xdrContractCall],
  createContract: [1, CREATION],
  uploadCode: [2, xdrNotSimulated("the upload of code")],
  createContractV2: [3, CREATION],
});

const xdrAuthorizedFunction = xdrUnion("authorized function", {
  contractCall: [0, xdrContractCall],
  createContract: [1, CREATION],
  createContractV2: [2, CREATION],
});

export interface HorizonAuthorizedCall {
  readonly function: XdrValue<typeof xdrAuthorizedFunction>;
  readonly within: readonly HorizonAuthorizedCall[];
}

const xdrAuthorizedCall: XdrCodec<HorizonAuthorizedCall> = xdrStruct({
  function: xdrAuthorizedFunction,
  within: xdrList(
    xdrNested(() => xdrAuthorizedCall),
    MOST_AUTHORIZATIONS,
  ),
});

export const xdrAuthorization = xdrStruct({
  credentials: xdrUnion("credentials", {
    sourceAccount: [0, xdrVoid],
    address: [1, xdrNotSimulated("authorizations by others than the source account")],
  }),
  call: xdrAuthorizedCall,
});

export const xdrInvokeHostFunction = xdrStruct({
  function: xdrHostFunction,
  authorizations: xdrList(xdrAuthorization, MOST_AUTHORIZATIONS),
});

const xdrFootprint = xdrStruct({
  readOnly: xdrList(xdrLedgerKey, MOST_KEYS),
  readWrite: xdrList(xdrLedgerKey, MOST_KEYS),
});

export const xdrSorobanData = xdrStruct({
  extension: xdrUnion("extension", {
    none: [0, xdrVoid],
    archivedEntries: [1, xdrList(xdrU32, MOST_KEYS)],
  }),
  footprint: xdrFootprint,
  instructions: xdrU32,
  readBytes: xdrU32,
  writeBytes: xdrU32,
  resourceFee: xdrI64,
});

export type HorizonInvocation = XdrValue<typeof xdrInvokeHostFunction>;
export type HorizonFootprint = XdrValue<typeof xdrFootprint>;

/** The limits of a contract's reads, writes and cost, as its sender says. */
export type HorizonSorobanData = XdrValue<typeof xdrSorobanData>;
