import { bytesToHex } from "@noble/hashes/utils.js";
import { encodeXdr } from "../xdr/codec.ts";
import type { HorizonFootprint } from "../xdr/invocation.ts";
import { type HorizonKey, xdrLedgerKey } from "../xdr/ledger-key.ts";
import { instanceKey } from "./asset-contract.ts";
import { type AssetTransfer, holdingKey } from "./transfer.ts";

const nameOf = (key: HorizonKey): string => bytesToHex(encodeXdr(xdrLedgerKey, key));

/** The ledger entries that a transfer reads, and those that it writes. */
export const footprintOf = (transfer: AssetTransfer): HorizonFootprint => {
  const { contract, asset, from, to } = transfer;
  const lineOf = (account: typeof from): readonly HorizonKey[] => {
    if (asset.type === "native") return [{ type: "account", value: { account } }];
    return asset.value.issuer === account ? [] : [{ type: "trustLine", value: { account, asset } }];
  };
  const isOfIssuer = to.type === "contract" && asset.type !== "native";
  const issuer: readonly HorizonKey[] = isOfIssuer
    ? [{ type: "account", value: { account: asset.value.issuer } }]
    : [];
  const receiver = to.type === "contract" ? [holdingKey(contract, to)] : lineOf(to.value);
  const changed = new Map([...lineOf(from), ...receiver].map((key) => [nameOf(key), key]));
  return { readOnly: [...issuer, instanceKey(contract)], readWrite: [...changed.values()] };
};

/** Whether a declared footprint includes every entry that a call needs. */
export const isFootprintCovered = (needed: HorizonFootprint, declared: HorizonFootprint): boolean => {
  const writable = new Set(declared.readWrite.map(nameOf));
  const readable = new Set([...writable, ...declared.readOnly.map(nameOf)]);
  return (
    needed.readWrite.every((key) => writable.has(nameOf(key))) &&
    needed.readOnly.every((key) => readable.has(nameOf(key)))
  );
};

/** Whether a footprint has no duplicates, and only entry types that contracts can access. */
export const isFootprintValid = ({ readOnly, readWrite }: HorizonFootprint): boolean => {
  const all = [...readOnly, ...readWrite];
  const isTouchable = ({ type }: HorizonKey): boolean =>
    type === "account" || type === "trustLine" || type === "contractData" || type === "contractCode";
  return all.every(isTouchable) && new Set(all.map(nameOf)).size === all.length;
};
