import type { Hex } from "viem";
import { hexToBytes, serializeTransaction } from "viem/utils";
import { type Call, callOf } from "./calls/call.ts";
import type { EvmTransfer } from "./rules/act.ts";
import type { GasFees } from "./rules/replacement-fees.ts";

/** The fees of a transaction: legacy ones (EIP-155) on a chain without a base fee, or at the caller's wish. */
export type TransactionFees =
  | ({ readonly kind: "Eip1559" } & GasFees)
  | { readonly kind: "Legacy"; readonly gasPrice: bigint };

export interface TransactionDraft {
  readonly chainId: number;
  readonly nonce: bigint;
  /** wei a gas */
  readonly fees: TransactionFees;
  readonly gasLimit: bigint;
  readonly call: Call;
}

export interface TransferDraft extends Omit<TransactionDraft, "call" | "fees"> {
  readonly fees: GasFees;
  readonly transfer: EvmTransfer;
}

/** EIP-2681 allows account nonces up to 64 bits; this accepts those that a JavaScript number holds exactly. */
const exactNonce = (nonce: bigint): number => {
  const value = Number(nonce);
  if (nonce < 0n || !Number.isSafeInteger(value))
    throw new RangeError(`account nonce ${nonce} is out of range`);
  return value;
};

/**
 * The unsigned bytes of a transaction: type 2 (EIP-1559), or a legacy one that names its chain (EIP-155).
 * @throws RangeError when the nonce is out of range; viem's errors when fees contradict each other
 */
export const buildTransaction = (draft: TransactionDraft): Uint8Array => {
  const { chainId, gasLimit, fees } = draft;
  const { to, value, data } = draft.call;
  const common = { chainId, nonce: exactNonce(draft.nonce), gas: gasLimit, to: to ?? null, value, data };
  const unsigned: Hex =
    fees.kind === "Legacy"
      ? serializeTransaction({ type: "legacy", ...common, gasPrice: fees.gasPrice })
      : serializeTransaction({
          type: "eip1559",
          ...common,
          maxFeePerGas: fees.maxFeePerGas,
          maxPriorityFeePerGas: fees.maxPriorityFeePerGas,
        });
  return hexToBytes(unsigned);
};

/** The unsigned type-2 transaction of a transfer. */
export const buildTransfer = ({ transfer, fees, ...draft }: TransferDraft): Uint8Array =>
  buildTransaction({ ...draft, fees: { kind: "Eip1559", ...fees }, call: callOf(transfer) });
