import { fail, ok, type Result } from "@conclave/custody";
import type { BuiltTransaction } from "../chain.ts";
import { type BitcoinCoin, coinName } from "./coins/coin.ts";
import { feeOf, judgeFee } from "./coins/fees.ts";
import type { OurTransactions } from "./coins/ours.ts";
import { virtualSize } from "./coins/size.ts";
import type { BitcoinNetwork } from "./network.ts";
import type { BitcoinPlan } from "./plan.ts";
import { whyNotYet } from "./relay-rules.ts";
import { bitcoinDetails } from "./shown-details.ts";
import type { BitcoinSituation } from "./situation.ts";
import { feeOfPsbt } from "./wire/psbt.ts";

const invalid = (why: string): Result<never> =>
  fail("TransactionInvalid", { field: "psbt" }, `the transaction is not valid: ${why}`);

/**
 * A caller's bytes stay as they are; the check is only whether they can still land.
 * @returns TransactionInvalid with the reason why they cannot; FeeAboveCap
 */
export const buildExact = (
  { feeCap }: BitcoinNetwork,
  situation: BitcoinSituation,
  { taken }: OurTransactions,
  { unsigned, psbt }: Extract<BitcoinPlan, { kind: "exact" }>,
): Result<BuiltTransaction> => {
  const there: ReadonlyMap<string, BitcoinCoin> = new Map(
    situation.coins.map((coin) => [coinName(coin.outpoint), coin]),
  );
  for (const { outpoint, coin } of psbt.inputs) {
    const name = coinName(outpoint);
    if (taken.has(name)) return invalid(`another transaction of the wallet spends its coin ${name}`);
    const found = there.get(name);
    if (found === undefined) return invalid(`its coin ${name} is spent, or there is none`);
    if (found.amount !== coin.amount) return invalid(`its coin ${name} holds ${found.amount} satoshis`);
  }
  const refused = whyNotYet(psbt, situation);
  if (refused !== undefined) return invalid(refused);
  const own = psbt.inputs[0]?.coin.script ?? new Uint8Array(0);
  const vbytes = virtualSize(
    psbt.inputs.length,
    own,
    psbt.outputs.map(({ script }) => script),
  );
  const fee = feeOfPsbt(psbt);
  const least = feeOf(situation.floor.least, vbytes);
  if (fee < least) return invalid(`its fee of ${fee} satoshis is too low: nodes ask for ${least}`);
  const payable = judgeFee(fee, feeCap);
  return payable.ok
    ? ok({ unsigned, sequence: undefined, details: bitcoinDetails(fee, vbytes, psbt.inputs.length) })
    : payable;
};
