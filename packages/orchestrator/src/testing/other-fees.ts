import { bytesToHex, hexToBytes, parseTransaction, serializeTransaction } from "viem/utils";

/**
 * The same payment in the same place, at a fee cap that is a wei higher, or by so many.
 * @param unsigned of EIP-1559
 * @param paid another amount
 */
export const withOtherFees = (unsigned: Uint8Array, byWei = 1n, paid?: bigint): Uint8Array => {
  const {
    chainId = 0,
    nonce,
    gas,
    to,
    value: before,
    data,
    ...fees
  } = parseTransaction(bytesToHex(unsigned));
  const { maxFeePerGas = 0n, maxPriorityFeePerGas } = fees;
  const value = paid ?? before;
  const bid = { maxFeePerGas: maxFeePerGas + byWei, maxPriorityFeePerGas };
  return hexToBytes(serializeTransaction({ type: "eip1559", chainId, nonce, gas, to, value, data, ...bid }));
};
