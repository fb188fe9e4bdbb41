import { hexToBytes } from "@noble/hashes/utils.js";
import { z } from "zod";
import { ONE_BITCOIN } from "../fee-rate.ts";
import { DECODE_FAILED } from "../submission.ts";
import { RPC_CODES, rpcIssue } from "./rpc-error.ts";

const HASH_CHARACTERS = 64;
/** A transaction of the most weight that a block holds, in hex. */
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

/** Bytes of what may be a transaction. */
export const transactionParameter = z.string().transform((text, context) => {
  const isHex =
    text.length % 2 === 0 && text.length <= TRANSACTION_CHARACTERS_MAX && /^[0-9a-f]*$/i.test(text);
  if (isHex) return hexToBytes(text);
  context.addIssue(rpcIssue(RPC_CODES.deserialization, DECODE_FAILED));
  return z.NEVER;
});

/** Bitcoins with up to eight places, as a number or a text. @returns satoshis */
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

/** Satoshis for a thousand virtual bytes. @source Bitcoin Core, src/rpc/util.cpp: ParseFeeRate */
export const feeRateParameter = amountParameter.transform((rate, context) => {
  if (rate < ONE_BITCOIN) return rate;
  const words = "Fee rates larger than or equal to 1BTC/kvB are not accepted";
  context.addIssue(rpcIssue(RPC_CODES.invalidParameter, words));
  return z.NEVER;
});

/** A level of detail: a number, or false and true for the first two. */
export const verbosityParameter = (byDefault: number) =>
  z.union([z.boolean(), z.int()]).transform(Number).default(byDefault);
