import {
  type BitcoinTransaction,
  fail,
  networkSchema,
  ok,
  parseBitcoinAddress,
  type Result,
} from "@conclave/custody";

import type { Replacements } from "../chain.ts";
import { parseBitcoinTransaction, parseBitcoinTransfer } from "./parse-content.ts";

const unsupported = (why: string): Result<never> =>
  fail("TransactionKindNotSupported", { field: "kind" }, why);

/** The payment that a request makes, with its fee to be chosen anew. */
const again = (payment: { readonly from: string; readonly to: string; readonly amount: string }) =>
  ok({
    kind: "SpeedUp",
    from: payment.from,
    to: payment.to,
    amount: payment.amount,
  } satisfies BitcoinTransaction);

/**
 * Bitcoin: what spends a coin of what waits, and pays more, takes its place (BIP-125). The signed bytes do not tell what was
 * paid, so nothing but the network's cap bounds what a replacement may cost: that is what policies count. The builder keeps
 * to less.
 */
export const BITCOIN_REPLACEMENTS: Replacements = {
  speedUp: ({ act }) => {
    if (act.kind === "transfer") {
      const transfer = parseBitcoinTransfer(act.transfer);
      return transfer.ok ? again(transfer.value) : transfer;
    }
    const transaction = parseBitcoinTransaction(act.transaction);
    if (!transaction.ok) return transaction;
    return transaction.value.kind === "SpeedUp"
      ? again(transaction.value)
      : unsupported(
          "Only a payment can be sped up: a PSBT is built by its caller, and a cancellation pays nobody.",
        );
  },
  cancel: ({ act }, sender) => {
    const from = parseBitcoinAddress(networkSchema.parse(act.network), sender, "from");
    return from.ok ? ok({ kind: "Cancel", from: from.value } satisfies BitcoinTransaction) : from;
  },
  takePlace: () => unsupported("A PSBT takes no other transaction's place."),
  fixedSequence: () => ok(undefined),
  judgeSequence: () => ok(undefined),
  judge: () => unsupported("A PSBT takes no other transaction's place."),
};
