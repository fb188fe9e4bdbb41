import type { HorizonAddress, HorizonContract } from "../address.ts";
import { accountEntry, type HorizonBooks, stellarEntryIn, withStellarEntry } from "../books.ts";
import { ACCOUNT_FLAGS } from "../operations/flags.ts";
import { arrivedAt, takenFrom } from "../operations/move.ts";
import type { HorizonAsset } from "../xdr/asset.ts";
import type { HorizonContractAddress, HorizonValue } from "../xdr/contract-value.ts";
import type { HorizonContractEvent } from "../xdr/event.ts";
import type { HorizonKey } from "../xdr/ledger-key.ts";
import { assetName, PERSISTENT } from "./asset-contract.ts";
import {
  accountValue,
  addressValue,
  amountValue,
  mapValue,
  stringValue,
  symbolValue,
  valueNamed,
  vecValue,
} from "./value.ts";

/** The maximum balance of a contract: 2^127 - 1. */
const MOST_HELD = 2n ** 127n - 1n;

/** A transfer requested from an asset's contract. */
export interface AssetTransfer {
  readonly contract: HorizonContract;
  readonly asset: HorizonAsset;
  readonly from: HorizonAddress;
  readonly to: HorizonContractAddress;
  readonly amount: bigint;
}

/** Why a contract call failed, in the words of the host. */
export interface ContractFlaw {
  readonly words: string;
}

/** Error codes of an asset's contract. @source rs-soroban-env, stellar_asset_contract/contract_error.rs */
const ERRORS = {
  accountMissing: 6,
  negativeAmount: 8,
  balance: 10,
  balanceDeauthorized: 11,
  overflow: 12,
  trustlineMissing: 13,
} as const;

const flaw = (name: keyof typeof ERRORS): ContractFlaw => ({
  words: `HostError: Error(Contract, #${ERRORS[name]})`,
});

/** The key of the entry with a contract's balance. */
export const holdingKey = (contract: HorizonContract, holder: HorizonContractAddress): HorizonKey => ({
  type: "contractData",
  value: {
    contract: { type: "contract", value: contract },
    key: vecValue(symbolValue("Balance"), addressValue(holder)),
    durability: PERSISTENT,
  },
});

const flagsOfIssuer = (books: HorizonBooks, asset: HorizonAsset): number =>
  asset.type === "native" ? 0 : (accountEntry(books, asset.value.issuer)?.flags ?? 0);

const heldIn = (value: HorizonValue): { readonly amount: bigint; readonly isAuthorized: boolean } => {
  const [amount, authorized] = [valueNamed(value, "amount"), valueNamed(value, "authorized")];
  return {
    amount: amount?.type === "i128" ? amount.value : 0n,
    isAuthorized: authorized?.type === "bool" && authorized.value,
  };
};

const arrivedAtContract = (
  books: HorizonBooks,
  { contract, asset, to, amount }: AssetTransfer,
): HorizonBooks | ContractFlaw => {
  const key = holdingKey(contract, to);
  const kept = stellarEntryIn(books, key)?.data;
  const flags = flagsOfIssuer(books, asset);
  const held =
    kept?.type === "contractData"
      ? heldIn(kept.value.value)
      : { amount: 0n, isAuthorized: (flags & ACCOUNT_FLAGS.required) === 0 };
  if (!held.isAuthorized) return flaw("balanceDeauthorized");
  if (held.amount + amount > MOST_HELD) return flaw("overflow");
  if (key.type !== "contractData") return books;
  const value = mapValue(
    ["amount", amountValue(held.amount + amount)],
    ["authorized", { type: "bool", value: true }],
    ["clawback", { type: "bool", value: (flags & ACCOUNT_FLAGS.clawback) !== 0 }],
  );
  return withStellarEntry(books, {
    type: "contractData",
    value: { ...key.value, extension: undefined, value },
  });
};

const ARRIVAL = {
  op_no_destination: "accountMissing",
  op_no_trust: "trustlineMissing",
  op_not_authorized: "balanceDeauthorized",
  op_line_full: "balance",
} as const;
const DEPARTURE = {
  op_src_no_trust: "trustlineMissing",
  op_src_not_authorized: "balanceDeauthorized",
  op_underfunded: "balance",
} as const;

const eventOf = ({ contract, asset, from, to, amount }: AssetTransfer): HorizonContractEvent => {
  const issuer = asset.type === "native" ? undefined : asset.value.issuer;
  const [name, receiver] = [stringValue(assetName(asset)), addressValue(to)];
  const topics = (): readonly HorizonValue[] => {
    if (from === issuer) return [symbolValue("mint"), receiver, name];
    if (to.value === issuer) return [symbolValue("burn"), accountValue(from), name];
    return [symbolValue("transfer"), accountValue(from), receiver, name];
  };
  const body = { topics: topics(), data: amountValue(amount) };
  return { extension: undefined, contract, type: 1, body };
};

/** The result of a transfer: the books after it, and the contract's event. */
export interface TransferDone {
  readonly books: HorizonBooks;
  readonly event: HorizonContractEvent;
}

/**
 * Carries out a transfer.
 * @source rs-soroban-env, stellar_asset_contract/contract.rs: transfer; balance.rs
 */
export const carryOutTransfer = (
  books: HorizonBooks,
  transfer: AssetTransfer,
  baseReserve: bigint,
): TransferDone | ContractFlaw => {
  const { asset, from, to, amount } = transfer;
  if (amount < 0n) return flaw("negativeAmount");
  const left = takenFrom(books, from, asset, amount, baseReserve);
  if (typeof left === "string") return flaw(DEPARTURE[left]);
  if (to.type === "contract") {
    const arrived = arrivedAtContract(left, transfer);
    return "words" in arrived ? arrived : { books: arrived, event: eventOf(transfer) };
  }
  const arrived = arrivedAt(left, to.value, asset, amount);
  if (typeof arrived === "string") return flaw(ARRIVAL[arrived]);
  return { books: arrived, event: eventOf(transfer) };
};
