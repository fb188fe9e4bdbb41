import { bytesOfAddress, horizonContract } from "../address.ts";
import { xdrHash } from "./account.ts";
import {
  type XdrValue,
  xdrBool,
  xdrI32,
  xdrList,
  xdrMapped,
  xdrNoExtension,
  xdrOptional,
  xdrStruct,
  xdrUnion,
} from "./codec.ts";
import { xdrContractValue } from "./contract-value.ts";

const MOST_TOPICS = 10;

export const xdrContractEvent = xdrStruct({
  extension: xdrNoExtension,
  contract: xdrOptional(xdrMapped(xdrHash, horizonContract, bytesOfAddress)),
  /** 1: of a contract; 2: what helps to find a mistake */
  type: xdrI32,
  body: xdrUnion("event", {
    v0: [0, xdrStruct({ topics: xdrList(xdrContractValue, MOST_TOPICS), data: xdrContractValue })],
  }),
});

export type HorizonContractEvent = XdrValue<typeof xdrContractEvent>;

export const xdrDiagnosticEvent = xdrStruct({ isOfSuccess: xdrBool, event: xdrContractEvent });
