import type { Movement } from "@conclave/custody";
import type { AbiParameter, Hex } from "viem";
import { decodeAbiParameters, encodeAbiParameters, parseAbiParameters, toFunctionSelector } from "viem/utils";

/**
 * The amount that a call moves: the argument at this index, unknown, nothing, or, for a grant, nothing if the boolean argument
 * at this index is false, and otherwise unknown.
 */
type Amount = { readonly argument: number } | "unknown" | "nothing" | { readonly grant: number };

interface TokenCall {
  readonly parameters: readonly AbiParameter[];
  /** index of the argument that names the receiver or the grantee */
  readonly recipient: number;
  readonly amount: Amount;
}

const SELECTOR_DIGITS = 10;

const described = (
  name: string,
  types: string,
  recipient: number,
  amount: Amount,
): readonly [string, TokenCall] => [
  toFunctionSelector(`function ${name}(${types})`),
  { parameters: parseAbiParameters(types), recipient, amount },
];

/**
 * Calls of tokens that move an asset or permit somebody to move it: EIP-20, EIP-721, EIP-1155 and EIP-2612. An allowance counts
 * as used at once. `transferFrom` and `approve` have the same form for EIP-721 and EIP-20: the token id then counts as the
 * amount, of an asset without a price.
 */
const TOKEN_CALLS: ReadonlyMap<string, TokenCall> = new Map([
  described("transfer", "address,uint256", 0, { argument: 1 }),
  described("transferFrom", "address,address,uint256", 1, { argument: 2 }),
  described("approve", "address,uint256", 0, { argument: 1 }),
  described("increaseAllowance", "address,uint256", 0, { argument: 1 }),
  described("decreaseAllowance", "address,uint256", 0, "nothing"),
  described("permit", "address,address,uint256,uint256,uint8,bytes32,bytes32", 1, { argument: 2 }),
  described("safeTransferFrom", "address,address,uint256", 1, "unknown"),
  described("safeTransferFrom", "address,address,uint256,bytes", 1, "unknown"),
  described("safeTransferFrom", "address,address,uint256,uint256,bytes", 1, "unknown"),
  described("setApprovalForAll", "address,bool", 0, { grant: 1 }),
]);

/** The arguments; undefined unless the words are their canonical encoding. */
const argumentsOf = (parameters: readonly AbiParameter[], words: Hex): readonly unknown[] | undefined => {
  try {
    const values = decodeAbiParameters(parameters, words);
    // a decoder ignores bytes after the arguments, but a contract may read them (INV-3)
    return encodeAbiParameters(parameters, values) === words ? values : undefined;
  } catch {
    return undefined;
  }
};

const amountOf = (amount: Amount, values: readonly unknown[]): string | undefined => {
  if (amount === "unknown") return undefined;
  if (amount === "nothing") return "0";
  if ("grant" in amount) return values[amount.grant] === false ? "0" : undefined;
  const value = values[amount.argument];
  return typeof value === "bigint" ? value.toString() : undefined;
};

/**
 * The movement of a contract's own asset by one call.
 * @param contract lower case
 * @param data lower-case hex with 0x
 * @returns undefined for every unknown call, such as one that wraps other calls
 */
export const readTokenCall = (contract: string, data: Hex): Movement | undefined => {
  const call = TOKEN_CALLS.get(data.slice(0, SELECTOR_DIGITS));
  if (call === undefined) return undefined;
  const values = argumentsOf(call.parameters, `0x${data.slice(SELECTOR_DIGITS)}`);
  const recipient = values?.[call.recipient];
  if (values === undefined || typeof recipient !== "string") return undefined;
  return { asset: contract, amount: amountOf(call.amount, values), recipient: recipient.toLowerCase() };
};
