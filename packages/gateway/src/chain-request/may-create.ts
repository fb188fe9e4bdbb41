import type { ChainRequest, Need } from "@conclave/custody";
import { anyOf } from "../permission/requires.ts";

/** The permissions for making a request, and for replacing one. */
export const MAY_CREATE: Readonly<Record<ChainRequest["kind"], Need>> = {
  Transfer: anyOf("Wallets:TransferAsset", "Wallets:Transfers:Create"),
  Transaction: anyOf("Wallets:BroadcastTransaction", "Wallets:Transactions:Create"),
};
