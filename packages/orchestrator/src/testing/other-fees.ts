import { bytesToHex, hexToBytes, parseTransaction, serializeTransaction } from "viem/utils";

/**
 * The same payment in the same place, with a fee cap that is one wei, or `byWei`, higher.
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

/** The same payment in another place. @param unsigned of EIP-1559 */
export const atNonce = (unsigned: Uint8Array, nonce: number): Uint8Array => {
  const {
    chainId = 0,
    gas,
    to,
    value,
    data,
    maxFeePerGas,
    maxPriorityFeePerGas,
  } = parseTransaction(bytesToHex(unsigned));
  const fees = { maxFeePerGas, maxPriorityFeePerGas };
  return hexToBytes(serializeTransaction({ type: "eip1559", chainId, nonce, gas, to, value, data, ...fees }));
};
