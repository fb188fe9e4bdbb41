import { fail, ok, type Result } from "@conclave/custody";
import type { TronContract } from "./contract.ts";
import { signedTron } from "./signed.ts";
import type { TronPrices, TronRecipient, TronSender } from "./situation.ts";
import { encodeTron, type TronDraft } from "./transaction.ts";

const SIGNATURE_BYTES = 65;
/** Bytes that nodes add for the result in a block (java-tron, Constant.MAX_RESULT_SIZE_IN_TX). */
const RESULT_BYTES = 64n;
/** A call may use more energy when it lands than in its simulation: the limit is a fifth higher. */
const ENERGY_MARGIN_PERCENT = 120n;

/** The expected maximum cost of a transaction, in sun. */
export interface TronFee {
  /** the limit of sun burnt for energy */
  readonly feeLimit: bigint;
  /** sun burnt for energy beyond the staked one, by the simulated call's energy */
  readonly energy: bigint;
  /** sun burnt for bandwidth, or for a new account */
  readonly frame: bigint;
}

/** Whether a contract creates its recipient's account. */
const makesAccount = (contract: TronContract, { exists }: TronRecipient): boolean =>
  contract.type !== "TriggerSmartContract" && !exists;

/** The charged bytes of a transaction, including its signature. */
const chargedBytes = (draft: TronDraft): bigint =>
  BigInt(signedTron(encodeTron(draft), new Uint8Array(SIGNATURE_BYTES)).length) + RESULT_BYTES;

/** The fee for bandwidth. Either staked or free bandwidth covers all bytes, or all are burnt; the chain does not combine them. */
const frameFee = (
  prices: TronPrices,
  draft: TronDraft,
  { sender, recipient }: { readonly sender: TronSender; readonly recipient: TronRecipient },
): bigint => {
  if (makesAccount(draft.contract, recipient)) return prices.newAccount + prices.newAccountBandwidth;
  const bytes = chargedBytes(draft);
  return sender.stakedBandwidth >= bytes || sender.freeBandwidth >= bytes ? 0n : bytes * prices.bandwidth;
};

/** The fee limit for a call with this simulated energy. The limit applies to staked energy too, at the price of burnt energy. */
export const feeLimitFor = (energy: bigint, prices: TronPrices): bigint =>
  (energy * prices.energy * ENERGY_MARGIN_PERCENT + 99n) / 100n;

/**
 * The highest cost of a transaction.
 * @param draft with its final fee limit
 * @param energy of its simulated call; zero without a call
 * @param feeCap sun, as digits
 * @returns FeeAboveCap
 */
export const tronFee = (
  draft: TronDraft,
  around: { readonly sender: TronSender; readonly recipient: TronRecipient; readonly prices: TronPrices },
  energy: bigint,
  feeCap: string,
): Result<TronFee> => {
  const { sender, prices } = around;
  const burnt = energy > sender.energy ? energy - sender.energy : 0n;
  const frame = frameFee(prices, draft, around);
  const most = draft.feeLimit + frame;
  if (draft.feeLimit > prices.feeLimitMax) {
    return aboveCap(
      draft.feeLimit,
      prices.feeLimitMax,
      "the fee limit",
      "what the chain takes at most (getMaxFeeLimit),",
    );
  }
  return most > BigInt(feeCap)
    ? aboveCap(most, BigInt(feeCap), "the fee", "the network's cap")
    : ok({ feeLimit: draft.feeLimit, energy: burnt * prices.energy, frame });
};

const aboveCap = (fee: bigint, cap: bigint, what: string, whose: string): Result<never> =>
  fail(
    "FeeAboveCap",
    { fee: fee.toString(), feeCap: cap.toString() },
    `${what} of ${fee} sun is above ${whose} of ${cap} sun`,
  );
