import { bytesToHex, concatBytes } from "@noble/curves/utils.js";
import { utf8ToBytes } from "@noble/hashes/utils.js";
import type { StellarToken } from "../rules/asset.ts";
import { readAccount, writeAccount } from "../xdr/account.ts";
import { readAsset, writeAsset } from "../xdr/asset.ts";
import { type XdrReader, XdrUnreadable } from "../xdr/xdr-reader.ts";
import { variableXdr, wordXdr } from "../xdr/xdr-write.ts";
import { readContractAddress, writeContractAddress } from "./address.ts";

/** The ledger entries that the contract of an asset reads and writes (CAP-46-06). */
export type ContractLedgerKey =
  | { readonly kind: "account"; readonly account: string }
  | { readonly kind: "trustline"; readonly account: string; readonly token: StellarToken }
  /** the contract's own instance entry */
  | { readonly kind: "instance"; readonly contract: string }
  /** another contract's balance of the asset */
  | { readonly kind: "balance"; readonly contract: string; readonly holder: string };

/** LedgerEntryType */
const ACCOUNT = 0;
const TRUSTLINE = 1;
const CONTRACT_DATA = 6;
/** SCValType */
const SYMBOL = 15;
const VECTOR = 16;
const ADDRESS = 18;
const INSTANCE = 20;
/** ContractDataDurability */
const PERSISTENT = 1;

const THERE = wordXdr(1);
const BALANCE = utf8ToBytes("Balance");
const SYMBOL_BYTES_MAX = 32;

const other = (): never => {
  throw new XdrUnreadable("it touches something in the ledger that no transfer of an asset touches");
};

const must = (reader: XdrReader, value: number): void => {
  if (reader.uint32() !== value) other();
};

/** The vector ["Balance", holder]. */
const readHolder = (reader: XdrReader): string => {
  if (!reader.isThere()) other();
  must(reader, 2);
  must(reader, SYMBOL);
  if (bytesToHex(reader.variable(SYMBOL_BYTES_MAX, "symbol")) !== bytesToHex(BALANCE)) other();
  must(reader, ADDRESS);
  return readContractAddress(reader);
};

const readContractData = (reader: XdrReader): ContractLedgerKey => {
  const contract = readContractAddress(reader);
  const type = reader.uint32();
  if (type !== INSTANCE && type !== VECTOR) other();
  const key: ContractLedgerKey =
    type === INSTANCE
      ? { kind: "instance", contract }
      : { kind: "balance", contract, holder: readHolder(reader) };
  must(reader, PERSISTENT);
  return key;
};

/** Reads a LedgerKey. */
export const readLedgerKey = (reader: XdrReader): ContractLedgerKey => {
  switch (reader.uint32()) {
    case ACCOUNT:
      return { kind: "account", account: readAccount(reader, "ledger key") };
    case TRUSTLINE: {
      const account = readAccount(reader, "ledger key");
      const token = readAsset(reader);
      return token === undefined ? other() : { kind: "trustline", account, token };
    }
    case CONTRACT_DATA:
      return readContractData(reader);
    default:
      return other();
  }
};

export const writeLedgerKey = (key: ContractLedgerKey): Uint8Array => {
  switch (key.kind) {
    case "account":
      return concatBytes(wordXdr(ACCOUNT), writeAccount(key.account));
    case "trustline":
      return concatBytes(wordXdr(TRUSTLINE), writeAccount(key.account), writeAsset(key.token));
    case "instance":
      return concatBytes(
        wordXdr(CONTRACT_DATA),
        writeContractAddress(key.contract),
        wordXdr(INSTANCE),
        wordXdr(PERSISTENT),
      );
    case "balance":
      return concatBytes(
        wordXdr(CONTRACT_DATA),
        writeContractAddress(key.contract),
        wordXdr(VECTOR),
        THERE,
        wordXdr(2),
        wordXdr(SYMBOL),
        variableXdr(BALANCE),
        wordXdr(ADDRESS),
        writeContractAddress(key.holder),
        wordXdr(PERSISTENT),
      );
  }
};
