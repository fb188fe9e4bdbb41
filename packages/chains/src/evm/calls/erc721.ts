import type { Address, Hex } from "viem";
import { encodeFunctionData, parseAbi } from "viem/utils";

/** EIP-721, the overload without `bytes data`. */
const SAFE_TRANSFER_FROM = parseAbi(["function safeTransferFrom(address from, address to, uint256 tokenId)"]);

/**
 * Call data of EIP-721 `safeTransferFrom(address,address,uint256)`: selector and three words.
 * @throws when the token id does not fit a uint256; the gateway refuses such ids
 */
export const encodeSafeTransfer = (from: Address, to: Address, tokenId: bigint): Hex =>
  encodeFunctionData({ abi: SAFE_TRANSFER_FROM, args: [from, to, tokenId] });
