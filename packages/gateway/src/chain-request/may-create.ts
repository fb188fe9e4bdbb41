import type { ChainRequest, Need } from "@conclave/custody";
import { anyOf } from "../permission/requires.ts";

/** What making a request takes, and replacing one. */
export const MAY_CREATE: Readonly<Record<ChainRequest["kind"], Need>> = {
  Transfer: anyOf("Wallets:TransferAsset", "Wallets:Transfers:Create"),
  Transaction: anyOf("Wallets:BroadcastTransaction", "Wallets:Transactions:Create"),
};
