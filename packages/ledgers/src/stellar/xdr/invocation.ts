import {
  type XdrCodec,
  type XdrValue,
  xdrBytes,
  xdrInt64,
  xdrList,
  xdrNested,
  xdrNotSimulated,
  xdrStruct,
  xdrUint32,
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

const xdrAuthorization = xdrStruct({
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
    archivedEntries: [1, xdrList(xdrUint32, MOST_KEYS)],
  }),
  footprint: xdrFootprint,
  instructions: xdrUint32,
  readBytes: xdrUint32,
  writeBytes: xdrUint32,
  resourceFee: xdrInt64,
});
