import { type Act, ok, type Result } from "@conclave/custody";
import { hexToBytes } from "@noble/curves/utils.js";
import { parseBitcoinTransaction, parseBitcoinTransfer } from "./parse-content.ts";
import { decodePsbt, type Psbt } from "./wire/psbt.ts";

/** The plan to build. */
export type BitcoinPlan =
  /** @param amount satoshis */
  | {
      readonly kind: "payment";
      readonly to: string;
      readonly amount: bigint;
      /** satoshis: the highest fee; undefined: the network's cap */
      readonly maxFee: bigint | undefined;
    }
  /** a cancellation: the waiting transaction's coins go back to the wallet */
  | { readonly kind: "return" }
  /** a consolidation: many coins become one */
  | {
      readonly kind: "gathering";
      /** satoshis: the highest fee; undefined: the network's cap */
      readonly maxFee: bigint | undefined;
      /** satoshis a virtual byte, for the whole transaction and for each coin; undefined: the market's rate */
      readonly maxFeeRate: bigint | undefined;
    }
  /** bytes that the caller built */
  | { readonly kind: "exact"; readonly unsigned: Uint8Array; readonly psbt: Psbt };

/** @returns TransactionMismatch, or TransactionUnreadable when the authorised content cannot be read */
export const bitcoinPlan = (act: Act): Result<BitcoinPlan> => {
  if (act.kind === "transfer") {
    const transfer = parseBitcoinTransfer(act.transfer);
    return transfer.ok ? ok(paymentOf(transfer.value)) : transfer;
  }
  const transaction = parseBitcoinTransaction(act.transaction);
  if (!transaction.ok) return transaction;
  switch (transaction.value.kind) {
    case "SpeedUp":
      return ok(paymentOf(transaction.value));
    case "Cancel":
      return ok({ kind: "return" });
    case "Consolidate": {
      const { maxFee, maxFeeRate } = transaction.value;
      return ok({ kind: "gathering", maxFee: bounded(maxFee), maxFeeRate: bounded(maxFeeRate) });
    }
    case "Exact": {
      const unsigned = hexToBytes(transaction.value.unsigned);
      const psbt = decodePsbt(unsigned);
      return psbt.ok ? ok({ kind: "exact", unsigned, psbt: psbt.value }) : psbt;
    }
  }
};

interface Paid {
  readonly to: string;
  readonly amount: string;
  readonly maxFee?: string | undefined;
}

const paymentOf = ({ to, amount, maxFee }: Paid): BitcoinPlan => ({
  kind: "payment",
  to,
  amount: BigInt(amount),
  maxFee: bounded(maxFee),
});

const bounded = (most: string | undefined): bigint | undefined =>
  most === undefined ? undefined : BigInt(most);
