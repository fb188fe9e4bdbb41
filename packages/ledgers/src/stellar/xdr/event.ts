import { bytesOfAddress, horizonContract } from "../address.ts";
import {
  type XdrValue,
  xdrBool,
  xdrBytes,
  xdrEnum,
  xdrList,
  xdrMapped,
  xdrNoExtension,
  xdrOnly,
  xdrOptional,
  xdrStruct,
} from "./codec.ts";
import { xdrContractValue } from "./contract-value.ts";
import { xdr } from "./sdk.ts";

export const xdrContractEvent = xdrStruct(xdr.ContractEvent, {
  extension: ["ext", xdrNoExtension(xdr.ExtensionPoint)],
  contract: ["contractId", xdrOptional(xdrMapped(xdrBytes, horizonContract, bytesOfAddress))],
  /** 1: contract event; 2: diagnostic event */
  type: xdrEnum(xdr.ContractEventType.contract(), xdr.ContractEventType.diagnostic()),
  body: xdrOnly(
    xdr.ContractEventBody,
    0,
    xdrStruct(xdr.ContractEventV0, { topics: xdrList(xdrContractValue), data: xdrContractValue }),
  ),
});

export type HorizonContractEvent = XdrValue<typeof xdrContractEvent>;

export const xdrDiagnosticEvent = xdrStruct(xdr.DiagnosticEvent, {
  isOfSuccess: ["inSuccessfulContractCall", xdrBool],
  event: xdrContractEvent,
});
