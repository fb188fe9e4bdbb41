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
      /** satoshis: the most that it may cost; undefined leaves the network's cap */
      readonly maxFee: bigint | undefined;
    }
  /** a waiting transaction gives its coins back to the wallet */
  | { readonly kind: "return" }
  /** many coins become one */
  | {
      readonly kind: "gathering";
      /** satoshis, as of a payment */
      readonly maxFee: bigint | undefined;
      /** satoshis a virtual byte, of the whole and of each coin; undefined leaves what the market asks */
      readonly maxFeeRate: bigint | undefined;
    }
  /** bytes that are there already */
  | { readonly kind: "exact"; readonly unsigned: Uint8Array; readonly psbt: Psbt };

/** @returns TransactionMismatch, TransactionUnreadable for what is authorised and cannot be read */
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
