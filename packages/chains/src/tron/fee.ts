import { fail, ok, type Result } from "@conclave/custody";
import type { TronContract } from "./contract.ts";
import { signedTron } from "./signed.ts";
import type { TronPrices, TronRecipient, TronSender } from "./situation.ts";
import { encodeTron, type TronDraft } from "./transaction.ts";

const SIGNATURE_BYTES = 65;
/**
 * The bytes that nodes count for the result that a block writes behind a transaction (java-tron,
 * Constant.MAX_RESULT_SIZE_IN_TX).
 */
const RESULT_BYTES = 64n;
/** A call may take more energy when it lands than when it was tried: a fifth more is let. */
const ENERGY_MARGIN_PERCENT = 120n;

/** The most that a transaction is expected to cost, in sun. */
export interface TronFee {
  /** the sun burnt for energy, and no more than that */
  readonly feeLimit: bigint;
  /** the part burnt beyond staked energy, by the energy of the call when it was tried */
  readonly energy: bigint;
  /** the sun burnt for bandwidth, and for a new account */
  readonly frame: bigint;
}

/** Whether a contract makes its recipient's account where there is none. */
const makesAccount = (contract: TronContract, { exists }: TronRecipient): boolean =>
  contract.type !== "TriggerSmartContract" && !exists;

/** Bytes that a transaction is charged for, once it is signed. */
const chargedBytes = (draft: TronDraft): bigint =>
  BigInt(signedTron(encodeTron(draft), new Uint8Array(SIGNATURE_BYTES)).length) + RESULT_BYTES;

/** Bandwidth is staked, or free, or burnt, and never a part of each. */
const frameFee = (
  prices: TronPrices,
  draft: TronDraft,
  { sender, recipient }: { readonly sender: TronSender; readonly recipient: TronRecipient },
): bigint => {
  if (makesAccount(draft.contract, recipient)) return prices.newAccount + prices.newAccountBandwidth;
  const bytes = chargedBytes(draft);
  return sender.stakedBandwidth >= bytes || sender.freeBandwidth >= bytes ? 0n : bytes * prices.bandwidth;
};

/** The limit of a call that took so much energy. It bounds staked energy as well, by its worth. */
export const feeLimitFor = (energy: bigint, prices: TronPrices): bigint =>
  (energy * prices.energy * ENERGY_MARGIN_PERCENT + 99n) / 100n;

/**
 * The most that a transaction costs.
 * @param draft with the limit that it has
 * @param energy that its call took when it was tried; zero where nothing is called
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
