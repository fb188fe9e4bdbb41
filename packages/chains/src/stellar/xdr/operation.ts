import { concatBytes } from "@noble/curves/utils.js";
import type { StellarToken } from "../rules/asset.ts";
import { readTransferCall, type TransferCall, writeTransferCall } from "../soroban/transfer-call.ts";
import { readAccount, writeAccount } from "./account.ts";
import { readAsset, writeAsset } from "./asset.ts";
import { type XdrReader, XdrUnreadable } from "./xdr-reader.ts";
import { longXdr, wordXdr } from "./xdr-write.ts";

/** The only operation of a transaction, on the transaction's own account. */
export type StellarOperation =
  /** @param token undefined: lumens. @param amount stroops, or the asset's smallest unit */
  | {
      readonly kind: "payment";
      readonly to: string;
      readonly token: StellarToken | undefined;
      readonly amount: bigint;
    }
  /** creates an account with this amount of lumens, in stroops */
  | { readonly kind: "createAccount"; readonly to: string; readonly amount: bigint }
  /** sets the limit of a trustline, up to which the account can hold the asset; 0 closes it */
  | { readonly kind: "changeTrust"; readonly token: StellarToken; readonly limit: bigint }
  /** pays an asset to a contract, by a call of the asset's own contract */
  | ({ readonly kind: "invokeHostFunction" } & TransferCall);

/** OperationType, in its order (stellar-xdr, Stellar-transaction.x). */
const NAMES = [
  "createAccount",
  "payment",
  "pathPaymentStrictReceive",
  "manageSellOffer",
  "createPassiveSellOffer",
  "setOptions",
  "changeTrust",
  "allowTrust",
  "accountMerge",
  "inflation",
  "manageData",
  "bumpSequence",
  "manageBuyOffer",
  "pathPaymentStrictSend",
  "createClaimableBalance",
  "claimClaimableBalance",
  "beginSponsoringFutureReserves",
  "endSponsoringFutureReserves",
  "revokeSponsorship",
  "clawback",
  "clawbackClaimableBalance",
  "setTrustLineFlags",
  "liquidityPoolDeposit",
  "liquidityPoolWithdraw",
  "invokeHostFunction",
  "extendFootprintTtl",
  "restoreFootprint",
] as const;

const tagOf = (name: (typeof NAMES)[number]): Uint8Array => wordXdr(NAMES.indexOf(name));

const readAmount = (reader: XdrReader, least: bigint): bigint => {
  const amount = reader.int64();
  if (amount < least) throw new XdrUnreadable(`its amount is less than ${least}`);
  return amount;
};

const readPayment = (reader: XdrReader): StellarOperation => {
  const to = readAccount(reader, "destination");
  const token = readAsset(reader);
  return { kind: "payment", to, token, amount: readAmount(reader, 1n) };
};

const readCreateAccount = (reader: XdrReader): StellarOperation => {
  const to = readAccount(reader, "destination");
  return { kind: "createAccount", to, amount: readAmount(reader, 1n) };
};

const readChangeTrust = (reader: XdrReader): StellarOperation => {
  const token = readAsset(reader);
  if (token === undefined) throw new XdrUnreadable("nobody trusts for lumens");
  return { kind: "changeTrust", token, limit: readAmount(reader, 0n) };
};

/** Reads the list of operations, which must hold exactly one, on the transaction's own account. */
export const readOperation = (reader: XdrReader): StellarOperation => {
  if (reader.uint32() !== 1) throw new XdrUnreadable("it has not exactly one operation");
  if (reader.isThere()) throw new XdrUnreadable("its operation names an account of its own");
  const type = reader.uint32();
  const name = NAMES[type];
  switch (name) {
    case "payment":
      return readPayment(reader);
    case "createAccount":
      return readCreateAccount(reader);
    case "changeTrust":
      return readChangeTrust(reader);
    case "invokeHostFunction":
      return { kind: name, ...readTransferCall(reader) };
    default:
      throw new XdrUnreadable(`nobody reads the operation ${name ?? type} here`);
  }
};

const writeBody = (operation: StellarOperation): Uint8Array => {
  switch (operation.kind) {
    case "payment": {
      const { to, token, amount } = operation;
      return concatBytes(writeAccount(to), writeAsset(token), longXdr(amount));
    }
    case "createAccount":
      return concatBytes(writeAccount(operation.to), longXdr(operation.amount));
    case "changeTrust":
      return concatBytes(writeAsset(operation.token), longXdr(operation.limit));
    case "invokeHostFunction":
      return writeTransferCall(operation);
  }
};

const OWN_ACCOUNT = wordXdr(0);

/** Writes the list with this one operation. */
export const writeOperation = (operation: StellarOperation): Uint8Array =>
  concatBytes(wordXdr(1), OWN_ACCOUNT, tagOf(operation.kind), writeBody(operation));
