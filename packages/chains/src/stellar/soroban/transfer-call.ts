import { bytesToHex, concatBytes } from "@noble/curves/utils.js";
import { utf8ToBytes } from "@noble/hashes/utils.js";
import { type XdrReader, XdrUnreadable } from "../xdr/xdr-reader.ts";
import { longXdr, variableXdr, wordXdr } from "../xdr/xdr-write.ts";
import { readContractAddress, writeContractAddress } from "./address.ts";

/** A call of `transfer` on a token's contract (SEP-41), from the transaction's own account. */
export interface TransferCall {
  /** C… */
  readonly contract: string;
  readonly from: string;
  readonly to: string;
  /** positive, below 2^63: no account holds more */
  readonly amount: bigint;
}

const FUNCTION = utf8ToBytes("transfer");
const FUNCTION_BYTES_MAX = 32;
const ARGUMENTS = 3;
/** HOST_FUNCTION_TYPE_INVOKE_CONTRACT, SOROBAN_CREDENTIALS_SOURCE_ACCOUNT and SOROBAN_AUTHORIZED_FUNCTION_TYPE_CONTRACT_FN */
const FIRST_KIND = 0;
/** SCValType */
const INTEGER_128 = 10;
const ADDRESS = 18;

const must = (reader: XdrReader, value: number, why: string): void => {
  if (reader.uint32() !== value) throw new XdrUnreadable(why);
};

const OTHER_ARGUMENTS = "its call is not transfer(from, to, amount)";

const readAddressValue = (reader: XdrReader): string => {
  must(reader, ADDRESS, OTHER_ARGUMENTS);
  return readContractAddress(reader);
};

const readAmountValue = (reader: XdrReader): bigint => {
  must(reader, INTEGER_128, OTHER_ARGUMENTS);
  const [high, low] = [reader.int64(), reader.int64()];
  if (high !== 0n || low <= 0n) throw new XdrUnreadable("the amount of its call is none of an account");
  return low;
};

/** Reads InvokeContractArgs. */
const readCall = (reader: XdrReader): TransferCall => {
  const contract = readContractAddress(reader);
  if (!contract.startsWith("C")) throw new XdrUnreadable("it calls what is no contract");
  const name = reader.variable(FUNCTION_BYTES_MAX, "function's name");
  if (bytesToHex(name) !== bytesToHex(FUNCTION))
    throw new XdrUnreadable("it calls another function than transfer");
  must(reader, ARGUMENTS, OTHER_ARGUMENTS);
  const [from, to] = [readAddressValue(reader), readAddressValue(reader)];
  return { contract, from, to, amount: readAmountValue(reader) };
};

const writeCall = ({ contract, from, to, amount }: TransferCall): Uint8Array =>
  concatBytes(
    writeContractAddress(contract),
    variableXdr(FUNCTION),
    wordXdr(ARGUMENTS),
    ...[from, to].flatMap((address) => [wordXdr(ADDRESS), writeContractAddress(address)]),
    wordXdr(INTEGER_128),
    longXdr(0n),
    longXdr(amount),
  );

/**
 * Reads the body of invokeHostFunction. It must hold exactly one authorisation, by the transaction's own account, for exactly
 * this call and no sub-calls: the contract can do nothing else with the account's consent.
 */
export const readTransferCall = (reader: XdrReader): TransferCall => {
  must(reader, FIRST_KIND, "it makes a contract, or uploads one");
  const call = readCall(reader);
  must(reader, 1, "it has not exactly one authorisation");
  must(reader, FIRST_KIND, "its authorisation is of other credentials than the transaction's account");
  must(reader, FIRST_KIND, "its authorisation is of no contract call");
  const authorised = readCall(reader);
  if (bytesToHex(writeCall(authorised)) !== bytesToHex(writeCall(call))) {
    throw new XdrUnreadable("its authorisation is of another call");
  }
  must(reader, 0, "its authorisation goes on to further calls");
  return call;
};

/** Writes the body of invokeHostFunction, with that one authorisation. */
export const writeTransferCall = (call: TransferCall): Uint8Array => {
  const written = writeCall(call);
  const kind = wordXdr(FIRST_KIND);
  return concatBytes(kind, written, wordXdr(1), kind, kind, written, wordXdr(0));
};
