import type { Address, Hex } from "viem";
import { encodeFunctionData, parseAbi } from "viem/utils";

/** EIP-20. */
const TRANSFER = parseAbi(["function transfer(address to, uint256 amount) returns (bool)"]);
export const TRANSFER_SELECTOR = "0xa9059cbb";

const WORD_DIGITS = 64;
const SELECTOR_DIGITS = TRANSFER_SELECTOR.length;
const CALL_DIGITS = SELECTOR_DIGITS + 2 * WORD_DIGITS;
const ADDRESS_PADDING = "0".repeat(24);

/**
 * Call data of EIP-20 `transfer(address,uint256)`: selector and two words.
 * @throws when the amount does not fit a uint256; the gateway refuses such amounts
 */
export const encodeTransfer = (to: Address, amount: bigint): Hex =>
  encodeFunctionData({ abi: TRANSFER, args: [to, amount] });

/**
 * Reads call data that must be exactly one `transfer`. Deliberately stricter than an ABI decoder, which would
 * accept words after the arguments: a place to hide what a contract might read (INV-3).
 * @param data lower-case hex
 * @returns undefined for anything but selector, padded address, amount
 */
export const decodeTransfer = (data: Hex): { readonly to: Hex; readonly amount: bigint } | undefined => {
  if (data.length !== CALL_DIGITS || !data.startsWith(TRANSFER_SELECTOR)) return undefined;
  const recipient = data.slice(SELECTOR_DIGITS, SELECTOR_DIGITS + WORD_DIGITS);
  if (!recipient.startsWith(ADDRESS_PADDING)) return undefined;
  return {
    to: `0x${recipient.slice(ADDRESS_PADDING.length)}`,
    amount: BigInt(`0x${data.slice(SELECTOR_DIGITS + WORD_DIGITS)}`),
  };
};
