import { type FamilyContent, type FeeLevels, fail, ok, type Result } from "@conclave/custody";
import { hexToBytes } from "viem/utils";
import type { FeeBid, ReplacedTransaction, Replacements, StuckTransaction } from "../chain.ts";
import type { Call } from "./calls/call.ts";
import { decodeAnyUnsigned } from "./decode-any.ts";
import { bidFor } from "./fees/bid.ts";
import { feesOfUnsigned } from "./fees/choose-fees.ts";
import { mostOfReplacing } from "./fees/replacing-bound.ts";
import { parseTransaction } from "./parse-content.ts";
import { type Plan, planOf } from "./plan.ts";
import type { EvmCall, EvmTransaction } from "./rules/act.ts";
import { judgeReplacement, type WantedFees } from "./rules/replacement-fees.ts";
import { judgeNonce } from "./sequence.ts";

const nonceNumber = (sequence: bigint | undefined): number => {
  if (sequence === undefined) throw new TypeError("an EVM transaction that waits has an account nonce");
  return Number(sequence);
};

/**
 * A call with the account nonce of a waiting transaction. The service may raise its fees up to a bound, which policies count.
 * If the replaced bytes could not be read, there is no bound, and policies count the network's cap.
 */
const inThePlaceOf = (
  { sequence, signed }: ReplacedTransaction,
  { to, value, data }: Call,
  market: FeeLevels | undefined,
): EvmTransaction => ({
  kind: "Call",
  ...(to === undefined ? {} : { to: to.toLowerCase() }),
  value: value.toString(),
  data: data.slice(2),
  nonce: nonceNumber(sequence),
  ...boundOf(signed, market),
});

/**
 * The same call. A caller's gas limit stays: estimates are too low for some contracts, and a transaction that runs out of gas
 * still pays.
 */
const againOf = (replaced: ReplacedTransaction, plan: Plan, market?: FeeLevels): EvmTransaction => ({
  ...inThePlaceOf(replaced, plan.call, market),
  ...(plan.kind === "call" && plan.gasLimit !== undefined ? { gasLimit: plan.gasLimit.toString() } : {}),
});

const boundOf = (signed: Uint8Array, market: FeeLevels | undefined): Pick<EvmCall, "maxFee"> => {
  const most = mostOfReplacing(signed, market);
  return most === undefined ? {} : { maxFee: most.toString() };
};

/** The frame fields that the caller fixed. */
interface Wish {
  readonly nonce: bigint | undefined;
  readonly fees: WantedFees;
}

const wishOf = (content: FamilyContent): Result<Wish> => {
  const parsed = parseTransaction(content);
  if (!parsed.ok) return parsed;
  const wanted = parsed.value;
  if (wanted.kind === "Exact") {
    const decoded = decodeAnyUnsigned(hexToBytes(`0x${wanted.unsigned}`));
    return decoded.ok ? ok({ nonce: decoded.value.nonce, fees: decoded.value }) : decoded;
  }
  const { nonce, fees } = wanted;
  const numberOf = (text: string | undefined) => (text === undefined ? undefined : BigInt(text));
  const [cap, tip] =
    fees?.kind === "Legacy"
      ? [fees.gasPrice, fees.gasPrice]
      : [fees?.maxFeePerGas, fees?.maxPriorityFeePerGas];
  return ok({
    nonce: nonce === undefined ? undefined : BigInt(nonce),
    fees: { maxFeePerGas: numberOf(cap), maxPriorityFeePerGas: numberOf(tip) },
  });
};

/** Whether the caller chose the gas price: by fixed numbers, or by its own bytes. */
const isCallersFee = (plan: Plan): boolean =>
  plan.kind === "exact" ||
  (plan.fees?.kind === "Legacy"
    ? plan.fees.gasPrice !== undefined
    : plan.fees?.maxFeePerGas !== undefined || plan.fees?.maxPriorityFeePerGas !== undefined);

const bump = ({ replaced, unsigned, cap, market }: StuckTransaction): Result<FeeBid> => {
  const plan = planOf(replaced.act);
  if (!plan.ok) return plan;
  if (isCallersFee(plan.value)) return ok({ kind: "callers-fee" });
  const earlier = decodeAnyUnsigned(unsigned);
  if (!earlier.ok) return earlier;
  // the signed bytes are authentic; an orchestrator could have forged `sequence`
  if (earlier.value.nonce !== replaced.sequence) {
    return fail("TransactionMismatch", { field: "nonce" }, "its account nonce is not that of its bytes");
  }
  const bid = bidFor(earlier.value, BigInt(cap), market);
  if (!bid.ok) return bid;
  if (bid.value.kind === "above-cap") {
    return ok({ kind: "above-cap", least: bid.value.least.toString() });
  }
  const maxFee = (earlier.value.gasLimit * bid.value.most).toString();
  return ok({ kind: "bid", content: { ...againOf(replaced, plan.value), maxFee } });
};

/** Replacements on EVM: a transaction with the same account nonce and higher fees replaces a waiting one. */
export const EVM_REPLACEMENTS: Replacements = {
  speedUp: (replaced, market) => {
    const plan = planOf(replaced.act);
    return plan.ok ? ok(againOf(replaced, plan.value, market)) : plan;
  },
  bump,
  cancel: (replaced, sender, market) =>
    ok({
      ...inThePlaceOf(replaced, { to: undefined, value: 0n, data: "0x" }, market),
      to: sender.toLowerCase(),
    }),
  takePlace: (content, sequence) => {
    const parsed = parseTransaction(content);
    return parsed.ok ? ok({ ...parsed.value, nonce: nonceNumber(sequence) }) : parsed;
  },
  fixedSequence: (content) => {
    const wish = wishOf(content);
    return wish.ok ? ok(wish.value.nonce) : wish;
  },
  judgeSequence: (wanted, next) => {
    const judged = judgeNonce(wanted, next);
    return judged.ok ? ok(undefined) : judged;
  },
  judge: (earlier, content) => {
    const wish = wishOf(content);
    return wish.ok ? judgeReplacement(feesOfUnsigned(earlier), wish.value.fees) : wish;
  },
};
