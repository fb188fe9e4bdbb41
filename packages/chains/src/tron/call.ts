import {
  bytesToHex,
  bytesToNumberBE,
  concatBytes,
  equalBytes,
  hexToBytes,
  numberToBytesBE,
} from "@noble/curves/utils.js";
import { tronAccount, tronAddress } from "./rules/address.ts";

/** The calls of token contracts that are read here: of TRC-20, and of TRC-721. */
export type TronCall =
  | { readonly function: "transfer"; readonly to: string; readonly amount: bigint }
  | {
      readonly function: "safeTransferFrom";
      readonly owner: string;
      readonly to: string;
      readonly tokenId: bigint;
    };

const WORD_BYTES = 32;
const ACCOUNT_BYTES = 20;
const SELECTOR_BYTES = 4;

interface Signature {
  /** the function's signature, by which nodes are asked to call it */
  readonly text: string;
  /** the first bytes of the signature's Keccak-256 */
  readonly selector: Uint8Array;
}

/** Functions of tokens (TRC-20 and TRC-721, whose calls are those of EIP-20 and EIP-721). */
const SIGNATURES: Readonly<Record<TronCall["function"], Signature>> = {
  transfer: { text: "transfer(address,uint256)", selector: hexToBytes("a9059cbb") },
  safeTransferFrom: {
    text: "safeTransferFrom(address,address,uint256)",
    selector: hexToBytes("42842e0e"),
  },
};

/** An account as an argument: its 20 bytes, without TRON's prefix. @returns 32 bytes */
export const addressWord = (address: string): Uint8Array =>
  concatBytes(new Uint8Array(WORD_BYTES - ACCOUNT_BYTES), tronAccount(address));

/** A number as an argument. @returns 32 bytes; @throws when it does not fit */
export const numberWord = (value: bigint): Uint8Array => numberToBytesBE(value, WORD_BYTES);

const argumentsOf = (call: TronCall): Uint8Array =>
  call.function === "transfer"
    ? concatBytes(addressWord(call.to), numberWord(call.amount))
    : concatBytes(addressWord(call.owner), addressWord(call.to), numberWord(call.tokenId));

/** The data of a call: the function's selector and its arguments, a word each. */
export const encodeTronCall = (call: TronCall): Uint8Array =>
  concatBytes(SIGNATURES[call.function].selector, argumentsOf(call));

/** A call in the form for a node's simulation. */
export const askedCall = (call: TronCall): { readonly selector: string; readonly parameter: string } => ({
  selector: SIGNATURES[call.function].text,
  parameter: bytesToHex(argumentsOf(call)),
});

/** The account in a word. @returns undefined when bytes other than its 20 are not zero */
export const wordAddress = (word: Uint8Array): string | undefined =>
  word.length === WORD_BYTES && word.slice(0, WORD_BYTES - ACCOUNT_BYTES).every((byte) => byte === 0)
    ? tronAddress(word.slice(-ACCOUNT_BYTES))
    : undefined;

const wordsOf = (data: Uint8Array): readonly Uint8Array[] =>
  Array.from({ length: Math.floor((data.length - SELECTOR_BYTES) / WORD_BYTES) }, (_, at) =>
    data.slice(SELECTOR_BYTES + at * WORD_BYTES, SELECTOR_BYTES + (at + 1) * WORD_BYTES),
  );

const callIn = (data: Uint8Array): TronCall | undefined => {
  const selector = data.slice(0, SELECTOR_BYTES);
  const [first, second, third] = wordsOf(data);
  if (first === undefined || second === undefined) return undefined;
  if (equalBytes(selector, SIGNATURES.transfer.selector)) {
    const to = wordAddress(first);
    return to === undefined ? undefined : { function: "transfer", to, amount: bytesToNumberBE(second) };
  }
  if (!equalBytes(selector, SIGNATURES.safeTransferFrom.selector) || third === undefined) return undefined;
  const [owner, to] = [wordAddress(first), wordAddress(second)];
  return owner === undefined || to === undefined
    ? undefined
    : { function: "safeTransferFrom", owner, to, tokenId: bytesToNumberBE(third) };
};

/** Reads a call's data. @returns undefined for every other function, and for anything but the canonical encoding of a call */
export const decodeTronCall = (data: Uint8Array): TronCall | undefined => {
  const call = callIn(data);
  return call !== undefined && equalBytes(encodeTronCall(call), data) ? call : undefined;
};
