import type { AuthorisedTransfer } from "@conclave/custody";
import type { Hex } from "viem";
import { hexToBytes, serializeTransaction } from "viem/utils";
import { callOf } from "./call.ts";
import type { Fees } from "./fees.ts";

export interface TransferDraft {
  readonly chainId: number;
  readonly nonce: bigint;
  readonly fees: Fees;
  readonly gasLimit: bigint;
  readonly transfer: AuthorisedTransfer["transfer"];
}

/** The account nonce is a 64-bit number (EIP-2681); what a JavaScript number holds exactly is plenty. */
const exactNonce = (nonce: bigint): number => {
  const value = Number(nonce);
  if (nonce < 0n || !Number.isSafeInteger(value))
    throw new RangeError(`account nonce ${nonce} is out of range`);
  return value;
};

/**
 * The unsigned type-2 transaction (EIP-1559) of a transfer: 0x02 and the RLP list of nine fields.
 * @param draft fees in wei a gas, gasLimit in gas
 * @throws RangeError when the nonce is out of range; viem's errors when fees contradict each other
 */
export const buildTransfer = (draft: TransferDraft): Uint8Array => {
  const unsigned: Hex = serializeTransaction({
    type: "eip1559",
    chainId: draft.chainId,
    nonce: exactNonce(draft.nonce),
    gas: draft.gasLimit,
    ...draft.fees,
    ...callOf(draft.transfer),
  });
  return hexToBytes(unsigned);
};
