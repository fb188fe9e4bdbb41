import type { Address, Hex } from "viem";
import { encodeFunctionData, parseAbi } from "viem/utils";

/** EIP-20. */
const TRANSFER = parseAbi(["function transfer(address to, uint256 amount) returns (bool)"]);

/**
 * Call data of EIP-20 `transfer(address,uint256)`: selector and two words.
 * @throws when the amount does not fit a uint256; the gateway refuses such amounts
 */
export const encodeTransfer = (to: Address, amount: bigint): Hex =>
  encodeFunctionData({ abi: TRANSFER, args: [to, amount] });
