import { hexToBytes } from "@noble/hashes/utils.js";
import { z } from "zod";
import { ONE_BITCOIN } from "../fee-rate.ts";
import { DECODE_FAILED } from "../submission.ts";
import { RPC_CODES, rpcIssue } from "./rpc-error.ts";

const HASH_CHARACTERS = 64;
/** Hex length of a transaction of the maximum weight. */
const TRANSACTION_CHARACTERS_MAX = 2_000_000;

/** @source Bitcoin Core, src/rpc/util.cpp: ParseHashV */
export const hashParameter = (name: string) =>
  z.string().transform((text, context) => {
    if (text.length !== HASH_CHARACTERS) {
      const words = `must be of length ${HASH_CHARACTERS} (not ${text.length}, for '${text.slice(0, 100)}')`;
      context.addIssue(rpcIssue(RPC_CODES.invalidParameter, `${name} ${words}`));
      return z.NEVER;
    }
    if (!/^[0-9a-f]+$/i.test(text)) {
      context.addIssue(
        rpcIssue(RPC_CODES.invalidParameter, `${name} must be hexadecimal string (not '${text}')`),
      );
      return z.NEVER;
    }
    return text.toLowerCase();
  });

/** Hex of an arbitrary byte string, decoded later as a transaction. */
export const transactionParameter = z.string().transform((text, context) => {
  const isHex =
    text.length % 2 === 0 && text.length <= TRANSACTION_CHARACTERS_MAX && /^[0-9a-f]*$/i.test(text);
  if (isHex) return hexToBytes(text);
  context.addIssue(rpcIssue(RPC_CODES.deserialization, DECODE_FAILED));
  return z.NEVER;
});

/** Bitcoins with up to eight decimals, as a number or a string. @returns satoshis */
export const amountParameter = z.unknown().transform((value, context) => {
  if (typeof value !== "number" && typeof value !== "string") {
    context.addIssue(rpcIssue(RPC_CODES.type, "Amount is not a number or string"));
    return z.NEVER;
  }
  const text =
    typeof value === "number" && Number(value.toFixed(8)) === value ? value.toFixed(8) : String(value);
  const [, whole, places = ""] = /^(\d{1,8})(?:\.(\d{1,8}))?$/.exec(text) ?? [];
  if (whole !== undefined) return BigInt(whole) * ONE_BITCOIN + BigInt(places.padEnd(8, "0"));
  context.addIssue(rpcIssue(RPC_CODES.type, text.startsWith("-") ? "Amount out of range" : "Invalid amount"));
  return z.NEVER;
});

/** Satoshis per 1,000 virtual bytes. @source Bitcoin Core, src/rpc/util.cpp: ParseFeeRate */
export const feeRateParameter = amountParameter.transform((rate, context) => {
  if (rate < ONE_BITCOIN) return rate;
  const words = "Fee rates larger than or equal to 1BTC/kvB are not accepted";
  context.addIssue(rpcIssue(RPC_CODES.invalidParameter, words));
  return z.NEVER;
});

/** A verbosity: a number, or false for 0 and true for 1. */
export const verbosityParameter = (byDefault: number) =>
  z.union([z.boolean(), z.int()]).transform(Number).default(byDefault);
