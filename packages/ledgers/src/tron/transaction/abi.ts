import type { LedgerJson } from "../../json.ts";
import { JavaTronMessage } from "../protobuf/wire-reader.ts";

/** @source protocol/core/contract/smart_contract.proto: SmartContract.ABI.Entry.EntryType */
const ENTRY_TYPES = ["UnknownEntryType", "Constructor", "Function", "Event", "Fallback", "Receive", "Error"];
const MUTABILITIES = ["UnknownMutabilityType", "Pure", "View", "Nonpayable", "Payable"];

/** Writes only true, as the JSON of protobuf does. */
const flag = (value: bigint): true | undefined => (value === 0n ? undefined : true);

const parameterJson = (bytes: Uint8Array): LedgerJson => {
  const message = new JavaTronMessage("ABI.Entry.Param", bytes, [1, 2, 3]);
  return {
    indexed: flag(message.int64(1)),
    name: message.text(2) || undefined,
    type: message.text(3),
  };
};

const entryJson = (bytes: Uint8Array): LedgerJson => {
  const message = new JavaTronMessage("ABI.Entry", bytes, [1, 2, 3, 4, 5, 6, 7, 8]);
  const inputs = message.list(4).map(parameterJson);
  const outputs = message.list(5).map(parameterJson);
  return {
    anonymous: flag(message.int64(1)),
    constant: flag(message.int64(2)),
    name: message.text(3) || undefined,
    inputs: inputs.length > 0 ? inputs : undefined,
    outputs: outputs.length > 0 ? outputs : undefined,
    type: ENTRY_TYPES[message.small(6)],
    payable: flag(message.int64(7)),
    stateMutability: MUTABILITIES[message.small(8)],
  };
};

/** Converts a contract's ABI to the JSON of getcontract. @throws JavaTronWireRefused */
export const readJavaTronAbi = (bytes: Uint8Array): LedgerJson => {
  const entries = new JavaTronMessage("ABI", bytes, [1]).list(1).map(entryJson);
  return entries.length > 0 ? { entrys: entries } : {};
};
