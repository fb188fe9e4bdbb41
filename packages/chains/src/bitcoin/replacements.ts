import { type Act, type FamilyContent, fail, networkSchema, ok, type Result } from "@conclave/custody";
import type { FeeBid, Replacements, StuckTransaction } from "../chain.ts";
import { bidForBitcoin } from "./coins/fees.ts";
import { virtualSize } from "./coins/size.ts";
import { givenPsbt, parseBitcoinTransaction, parseBitcoinTransfer } from "./parse-content.ts";
import type { BitcoinTransaction } from "./rules/act.ts";
import { parseBitcoinAddress } from "./rules/address.ts";
import { decodePsbt, feeOfPsbt, type Psbt } from "./wire/psbt.ts";

const unsupported = (why: string): Result<never> =>
  fail("TransactionKindNotSupported", { field: "kind" }, why);

/** The same payment as a speed-up, whose fee the builder chooses anew. */
const again = (payment: { readonly from: string; readonly to: string; readonly amount: string }) =>
  ok({
    kind: "SpeedUp",
    from: payment.from,
    to: payment.to,
    amount: payment.amount,
  } satisfies BitcoinTransaction);

const speedUp: Replacements["speedUp"] = ({ act }) => {
  if (act.kind === "transfer") {
    const transfer = parseBitcoinTransfer(act.transfer);
    return transfer.ok ? again(transfer.value) : transfer;
  }
  const transaction = parseBitcoinTransaction(act.transaction);
  if (!transaction.ok) return transaction;
  switch (transaction.value.kind) {
    case "SpeedUp":
      return again(transaction.value);
    case "Consolidate":
      return ok({ kind: "Consolidate", from: transaction.value.from } satisfies BitcoinTransaction);
    case "Exact":
    case "Cancel":
      return unsupported(
        "A payment can be sped up, and a consolidation: a PSBT is built by its caller, and a cancellation pays nobody.",
      );
  }
};

const bump = ({ replaced, unsigned, cap, market }: StuckTransaction): Result<FeeBid> => {
  if (isCallersFee(replaced.act)) return ok({ kind: "callers-fee" });
  const content = speedUp(replaced);
  if (!content.ok) return content;
  const psbt = decodePsbt(unsigned);
  if (!psbt.ok) return psbt;
  const levels = market.kind === "Bitcoin" ? market : undefined;
  const bid = bidForBitcoin(paidBy(psbt.value), BigInt(cap), levels);
  return bid.kind === "above-cap"
    ? ok({ kind: "above-cap", least: bid.rate })
    : ok({ kind: "bid", content: { ...content.value, maxFee: bid.most.toString() } });
};

/** Whether the caller fixed or bounded the fee: by its own bytes, or by a limit for gathering coins. */
const isCallersFee = (act: Act): boolean => {
  const content = contentOf(act);
  if (givenPsbt(content) !== undefined) return true;
  const transaction = parseBitcoinTransaction(content);
  if (!transaction.ok || transaction.value.kind !== "Consolidate") return false;
  const { maxFee, maxFeeRate } = transaction.value;
  return maxFee !== undefined || maxFeeRate !== undefined;
};

const contentOf = (act: Act): FamilyContent => (act.kind === "transfer" ? act.transfer : act.transaction);

/** The fee and size of a transaction that the service built. */
const paidBy = (psbt: Psbt) => {
  const own = psbt.inputs[0]?.coin.script ?? new Uint8Array(0);
  const scripts = psbt.outputs.map(({ script }) => script);
  return { fee: feeOfPsbt(psbt), vbytes: virtualSize(psbt.inputs.length, own, scripts) };
};

/**
 * Replacements on Bitcoin (BIP-125): a transaction that spends a coin of a waiting one, and pays a higher fee, takes its place.
 * The signed bytes do not tell the replaced transaction's fee, so only the network's cap bounds a replacement's: policies count
 * the cap. The builder stays lower.
 */
export const BITCOIN_REPLACEMENTS: Replacements = {
  speedUp,
  bump,
  cancel: ({ act }, sender) => {
    const from = parseBitcoinAddress(networkSchema.parse(act.network), sender, "from");
    return from.ok ? ok({ kind: "Cancel", from: from.value } satisfies BitcoinTransaction) : from;
  },
  takePlace: () => unsupported("A PSBT takes no other transaction's place."),
  fixedSequence: () => ok(undefined),
  judgeSequence: () => ok(undefined),
  judge: () => unsupported("A PSBT takes no other transaction's place."),
};
