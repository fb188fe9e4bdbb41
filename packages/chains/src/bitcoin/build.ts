import { fail, networkSchema, ok, type Result } from "@conclave/custody";
import type { BuiltTransaction, TransactionIntent } from "../chain.ts";
import { buildExact } from "./build-exact.ts";
import { type Choice, chooseCoins, gatherCoins, type Payment, payingForThemselves } from "./coins/choose.ts";
import { coinName, coinsOfPsbt } from "./coins/coin.ts";
import { feeAtRate, feeCapWith, feeOf, judgeFee, type ReplacedFees, replacingFee } from "./coins/fees.ts";
import { type OurTransactions, ourTransactions } from "./coins/ours.ts";
import { virtualSize } from "./coins/size.ts";
import type { BitcoinNetwork } from "./network.ts";
import { type BitcoinPlan, bitcoinPlan } from "./plan.ts";
import { REPLACEABLE_SEQUENCE, TRANSACTION_VERSION } from "./read.ts";
import { bitcoinScript } from "./rules/address.ts";
import { bitcoinDetails } from "./shown-details.ts";
import type { BitcoinSituation } from "./situation.ts";
import { whyNoTwoFit, whyShort } from "./why-short.ts";
import { decodePsbt, encodePsbt, feeOfPsbt, type Psbt } from "./wire/psbt.ts";
import type { BareOutput } from "./wire/transaction.ts";

/**
 * Writes the unsigned transaction of a request, as a PSBT.
 *
 * A rebuilt transaction keeps all coins of the previous one, so that at most one of them lands. The builder leaves coins of the
 * wallet's other live transactions alone, and spends change only once it is in a block: until then a replacement of its
 * transaction may remove it.
 * @param situation the situation on the chain
 * @param intent the wallet's address, the authorised content, and the wallet's own transactions that are still alive
 * @returns InsufficientFunds, FeeAboveCap, TransactionInvalid, or ServiceUnavailable while the payment waits for change or for
 * a transaction in the pool that spends its coins
 */
export const buildBitcoin = (
  network: BitcoinNetwork,
  situation: BitcoinSituation,
  intent: TransactionIntent,
): Result<BuiltTransaction> => {
  const plan = bitcoinPlan(intent.act);
  if (!plan.ok) return plan;
  const own = scriptOf(network, intent.sender);
  const ours = ourTransactions(intent, own);
  if (!ours.ok) return ours;
  if (plan.value.kind === "exact") return buildExact(network, situation, ours.value, plan.value);
  const isReplacing = intent.sequencing.kind === "replacing";
  const payment = paymentOf(network, situation, own, plan.value, ours.value, isReplacing);
  const feeCap = feeCapWith(network.feeCap, maxFeeOf(plan.value));
  const choice =
    plan.value.kind === "gathering"
      ? gathered(payment, feeCap)
      : chosen(network, situation, payment, ours.value);
  if (!choice.ok) return choice;
  const { coins, fee, vbytes } = choice.value;
  const payable = judgeFee(fee, feeCapWith(feeCap, feeAtRate(maxFeeRateOf(plan.value), vbytes)));
  if (!payable.ok) return payable;
  const unsigned = encodePsbt(psbtOf(situation, payment, choice.value));
  return ok({ unsigned, sequence: undefined, details: bitcoinDetails(fee, vbytes, coins.length) });
};

/** `describe` of the family. The size assumes that all inputs are the wallet's own. */
export const describeBitcoin = (unsigned: Uint8Array): Result<Omit<BuiltTransaction, "unsigned">> => {
  const psbt = decodePsbt(unsigned);
  if (!psbt.ok) return psbt;
  const { inputs, outputs } = psbt.value;
  const own = inputs[0]?.coin.script ?? new Uint8Array(0);
  const vbytes = virtualSize(
    inputs.length,
    own,
    outputs.map(({ script }) => script),
  );
  return ok({
    sequence: undefined,
    details: bitcoinDetails(feeOfPsbt(psbt.value), vbytes, inputs.length),
  });
};

const chosen = (
  network: BitcoinNetwork,
  situation: BitcoinSituation,
  payment: Payment,
  ours: OurTransactions,
): Result<Choice> => {
  const choosing = chooseCoins(payment);
  return choosing.kind === "chosen"
    ? ok(choosing.choice)
    : whyShort(network, situation, payment, ours, choosing);
};

const gathered = (payment: Payment, feeCap: string): Result<Choice> => {
  const gathering = gatherCoins({ ...payment, paid: undefined }, BigInt(feeCap));
  if (gathering.kind === "gathered") return ok(gathering.choice);
  return gathering.bound === "bytes"
    ? whyNoTwoFit(payment)
    : fail(
        "InsufficientFunds",
        { coins: gathering.worth.toString(), feeCap },
        `there is nothing to gather: ${gathering.worth} of the wallet's confirmed coins are worth more satoshis than they cost now, ` +
          `and two are needed whose fee is at most ${feeCap} satoshis; try again when fees are lower or further coins are confirmed`,
      );
};

const maxFeeOf = (plan: BitcoinPlan): bigint | undefined =>
  plan.kind === "payment" || plan.kind === "gathering" ? plan.maxFee : undefined;

const maxFeeRateOf = (plan: BitcoinPlan): bigint | undefined =>
  plan.kind === "gathering" ? plan.maxFeeRate : undefined;

const scriptOf = ({ network }: Pick<BitcoinNetwork, "network">, address: string): Uint8Array => {
  const script = bitcoinScript(networkSchema.parse(network), address);
  if (script === undefined) throw new TypeError(`${address} was not judged as an address of ${network}`);
  return script;
};

const paymentOf = (
  network: BitcoinNetwork,
  { rate, floor, coins, replacedWithDescendants }: BitcoinSituation,
  own: Uint8Array,
  plan: Exclude<BitcoinPlan, { kind: "exact" }>,
  { taken, earlier }: OurTransactions,
  isReplacing: boolean,
): Payment => {
  const pinned = earlier === undefined ? [] : coinsOfPsbt(earlier);
  const unfree = new Set([...taken, ...pinned.map(({ outpoint }) => coinName(outpoint))]);
  const replaced =
    isReplacing && earlier !== undefined ? replacedFees(earlier, own, replacedWithDescendants) : undefined;
  return {
    own,
    paid: plan.kind === "payment" ? { script: scriptOf(network, plan.to), amount: plan.amount } : undefined,
    pinned,
    coins: payingForThemselves(own, maxFeeRateOf(plan), coins).filter(
      ({ outpoint }) => !unfree.has(coinName(outpoint)),
    ),
    feeFor: (vbytes) =>
      replaced === undefined
        ? feeOf(rate, vbytes)
        : replacingFee(rate, vbytes, floor, replaced, maxFeeOf(plan)),
  };
};

const replacedFees = (earlier: Psbt, own: Uint8Array, withDescendants: bigint): ReplacedFees => {
  const fee = feeOfPsbt(earlier);
  const vbytes = virtualSize(
    earlier.inputs.length,
    own,
    earlier.outputs.map(({ script }) => script),
  );
  return { fee, vbytes, withDescendants: withDescendants > fee ? withDescendants : fee };
};

const psbtOf = ({ height }: BitcoinSituation, { own, paid }: Payment, { coins, change }: Choice): Psbt => {
  const back: BareOutput = { amount: change, script: own };
  return {
    version: TRANSACTION_VERSION,
    // valid in the next block at the earliest, so that a miner gains nothing by replacing the last block (fee sniping)
    lockTime: Number(height),
    inputs: coins.map(({ outpoint, amount, previous }) => ({
      outpoint,
      sequence: REPLACEABLE_SEQUENCE,
      coin: { amount, script: own },
      previous,
      sighashType: undefined,
    })),
    outputs: [...(paid === undefined ? [] : [paid]), ...(change === 0n ? [] : [back])],
  };
};
