import type { Hex } from "viem";
import { toFunctionSelector } from "viem/utils";

/**
 * Runtime code of small hand-written contracts, which give a test the needed behaviour of a token without a compiler. Hex
 * without 0x.
 */
export type CodeOf = string;

const WORD_DIGITS = 64;
const word = (value: bigint): string => value.toString(16).padStart(WORD_DIGITS, "0");
/** Keccak-256 of "Transfer(address,address,uint256)" */
const TRANSFER_TOPIC = "ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";
/** CALLDATALOAD of the first, second and third argument */
const ARGUMENT = ["600435", "602435", "604435"] as const;

/** Bodies of functions. */
export const CODE = {
  /** returns one word */
  answers: (value: bigint): CodeOf => `7f${word(value)}5f5260205ff3`,
  /** returns nothing and succeeds, like USDT's transfer */
  stops: "00",
  reverts: "5f5ffd",
  /** reverts with Error(string) of a short text */
  revertsWith: (text: string): CodeOf => {
    const digits = Buffer.from(text).toString("hex");
    const bytes = `08c379a0${word(32n)}${word(BigInt(text.length))}${digits.padEnd(WORD_DIGITS, "0")}`;
    const stored = [0, 1, 2, 3].map((at) => {
      const part = bytes.slice(at * WORD_DIGITS, (at + 1) * WORD_DIGITS).padEnd(WORD_DIGITS, "0");
      return `7f${part}60${(32 * at).toString(16).padStart(2, "0")}52`;
    });
    return `${stored.join("")}60645ffd`;
  },
  /** loops until the gas is used up */
  loops: "5b600456",
  /** returns the value stored under the first argument */
  storedUnderFirst: `${ARGUMENT[0]}545f5260205ff3`,
  /** subtracts the second argument from the caller's balance, and adds it less `less` to the first argument's */
  moves: (less = 0n): CodeOf =>
    `7f${word(less)}${ARGUMENT[1]}03${ARGUMENT[0]}5401${ARGUMENT[0]}55${ARGUMENT[1]}3354033355`,
  /** emits Transfer of EIP-20: from the caller to the first argument, the second argument less `less` */
  emits: (less = 0n): CodeOf =>
    `7f${word(less)}${ARGUMENT[1]}035f52${ARGUMENT[0]}337f${TRANSFER_TOPIC}60205fa3`,
  /** emits Transfer of EIP-20 with no field indexed */
  emitsUnindexed: `335f52${ARGUMENT[0]}602052${ARGUMENT[1]}6040527f${TRANSFER_TOPIC}60605fa1`,
  /** stores the second argument (the new owner) under the third (the token id) */
  handsOver: `${ARGUMENT[1]}${ARGUMENT[2]}55`,
  /** emits Transfer of EIP-721 with the three arguments */
  emitsOne: `${ARGUMENT[2]}${ARGUMENT[1]}${ARGUMENT[0]}7f${TRANSFER_TOPIC}5f5fa4`,
  /** emits Transfer of EIP-721 with no field indexed, like CryptoKitties */
  emitsOneUnindexed: `${ARGUMENT[0]}5f52${ARGUMENT[1]}602052${ARGUMENT[2]}6040527f${TRANSFER_TOPIC}60605fa1`,
} as const;

const HEAD_BYTES = 5;
const CASE_BYTES = 11;

/**
 * A contract with these functions.
 * @param functions by their signatures, such as "decimals()"
 * @param otherwise the code for any other call
 */
export const contractOf = (
  functions: Readonly<Record<string, CodeOf>>,
  otherwise: CodeOf = CODE.reverts,
): Hex => {
  const cases = Object.entries(functions);
  let at = HEAD_BYTES + CASE_BYTES * cases.length + otherwise.length / 2;
  let table = "";
  let bodies = "";
  for (const [signature, body] of cases) {
    const selector = toFunctionSelector(`function ${signature}`).slice(2);
    table += `8063${selector}1461${at.toString(16).padStart(4, "0")}57`;
    bodies += `5b${body}`;
    at += 1 + body.length / 2;
  }
  return `0x5f3560e01c${table}${otherwise}${bodies}`;
};
