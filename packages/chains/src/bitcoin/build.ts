import { bitcoinScript, fail, networkSchema, ok, type Result, SIGNABLES_MAX } from "@conclave/custody";
import type { BuiltTransaction, TransactionIntent } from "../chain.ts";
import { candidateCoins } from "./coins/candidates.ts";
import { type Choice, chooseCoins, type Payment } from "./coins/choose.ts";
import { type BitcoinCoin, coinName, coinsOfPsbt, sumOfCoins, type Unspent } from "./coins/coin.ts";
import { feeCapWith, feeOf, judgeFee, type ReplacedFees, replacingFee, shownRate } from "./coins/fees.ts";
import { type OurTransactions, ourTransactions } from "./coins/ours.ts";
import { virtualSize } from "./coins/size.ts";
import type { BitcoinNetwork } from "./network.ts";
import { type BitcoinPlan, bitcoinPlan } from "./plan.ts";
import { REPLACEABLE_SEQUENCE, TRANSACTION_VERSION } from "./read.ts";
import type { BitcoinSituation } from "./situation.ts";
import { encodePsbt, feeOfPsbt, type Psbt } from "./wire/psbt.ts";
import type { BareOutput } from "./wire/transaction.ts";

const RATE_VBYTES = 1_000n;

/**
 * Writes the unsigned transaction of a request, as a PSBT.
 *
 * What is built again keeps all coins of what was built before, so that at most one of them lands. Coins of other live
 * transactions of the wallet are left alone, and change is spent once it is in a block: until then it may go away with a
 * transaction that is replaced.
 * @param situation what was found on the chain
 * @param intent the wallet's address, what is authorised, and the wallet's own transactions that are still alive
 * @returns InsufficientFunds, FeeAboveCap, TransactionInvalid, or ServiceUnavailable while change is on its way, or the pool spends coins
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
  const choosing = chooseCoins(payment);
  if (choosing.kind === "short") return short(network, situation, payment, ours.value, choosing);
  const { choice } = choosing;
  const payable = judgeFee(choice.fee, feeCapWith(network.feeCap, maxFeeOf(plan.value)));
  if (!payable.ok) return payable;
  const unsigned = encodePsbt(psbtOf(situation, payment, choice));
  return ok({
    unsigned,
    sequence: undefined,
    details: detailsOf(choice.fee, choice.vbytes, choice.coins.length),
  });
};

const maxFeeOf = (plan: BitcoinPlan): bigint | undefined =>
  plan.kind === "payment" ? plan.maxFee : undefined;

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
    coins: coins.filter(({ outpoint }) => !unfree.has(coinName(outpoint))),
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
    // no block before the next one takes it, so that nobody gains by undoing the last one
    lockTime: Number(height),
    inputs: coins.map(({ outpoint, amount, previous }) => ({
      outpoint,
      sequence: REPLACEABLE_SEQUENCE,
      coin: { amount, script: own },
      previous,
      isCoinStated: true,
      sighashType: undefined,
    })),
    outputs: [...(paid === undefined ? [] : [paid]), ...(change === 0n ? [] : [back])],
  };
};

const detailsOf = (fee: bigint, vbytes: bigint, inputs: number) => ({
  fee: fee.toString(),
  feeRate: shownRate((fee * RATE_VBYTES) / vbytes),
  virtualSize: Number(vbytes),
  inputs,
});

/**
 * What free coins hold, in satoshis, that were worth a look and are spent in the pool, by a transaction that is not among the wallet's live
 * ones: it was confirmed, and its block was undone.
 */
const spentInPool = (free: readonly Unspent[], { paid, coins }: Payment): bigint => {
  const there = new Set(coins.map(({ outpoint }) => coinName(outpoint)));
  const looked = candidateCoins(free, paid?.amount ?? 0n, new Set());
  return sumOfCoins(looked.filter(({ outpoint }) => !there.has(coinName(outpoint))));
};

/** Why a payment cannot be made now: it never can, coins of it are on their way, or it takes more coins than one may have. */
const short = (
  { network }: BitcoinNetwork,
  { unspent }: BitcoinSituation,
  payment: Payment,
  { awaited, taken }: OurTransactions,
  { held, needed, isFull }: { readonly held: bigint; readonly needed: bigint; readonly isFull: boolean },
): Result<never> => {
  const { pinned } = payment;
  const pinnedNames = new Set(pinned.map(({ outpoint }) => coinName(outpoint)));
  const free = unspent.filter(({ outpoint }) => {
    const name = coinName(outpoint);
    return !taken.has(name) && !pinnedNames.has(name);
  });
  const all = sumOfCoins([...free, ...pinned]);
  const details = { needed: needed.toString(), held: all.toString() };
  if (held < needed && all + awaited >= needed && awaited > 0n && !isFull) {
    return fail(
      "ServiceUnavailable",
      { network },
      "waiting for the change of earlier transactions of the wallet to come into a block",
    );
  }
  const inPool = spentInPool(free, payment);
  if (inPool > 0n && held + inPool >= needed && !isFull) {
    return fail(
      "ServiceUnavailable",
      { network },
      "waiting for transactions that spend coins of the wallet to come into a block",
    );
  }
  if (isFull && all >= needed) {
    return fail(
      "InsufficientFunds",
      details,
      `the wallet's coins are too small: the largest that one transaction can spend, of which there are at most ${SIGNABLES_MAX}, ` +
        `hold ${held} satoshis together, and ${needed} are needed; gather them with payments to the wallet itself`,
    );
  }
  return fail(
    "InsufficientFunds",
    details,
    `insufficient funds: ${needed} satoshis (amount and fee) are needed, the wallet can spend ${all}`,
  );
};

const invalid = (why: string): Result<never> =>
  fail("TransactionInvalid", { field: "psbt" }, `the transaction is not valid: ${why}`);

/** The bytes stay as they are: all that is left is to see whether they can still land. */
const buildExact = (
  { feeCap }: BitcoinNetwork,
  { coins, floor }: BitcoinSituation,
  { taken }: OurTransactions,
  { unsigned, psbt }: Extract<BitcoinPlan, { kind: "exact" }>,
): Result<BuiltTransaction> => {
  const there: ReadonlyMap<string, BitcoinCoin> = new Map(
    coins.map((coin) => [coinName(coin.outpoint), coin]),
  );
  for (const { outpoint, coin } of psbt.inputs) {
    const name = coinName(outpoint);
    if (taken.has(name)) return invalid(`another transaction of the wallet spends its coin ${name}`);
    const found = there.get(name);
    if (found === undefined) return invalid(`its coin ${name} is spent, or there is none`);
    if (found.amount !== coin.amount) return invalid(`its coin ${name} holds ${found.amount} satoshis`);
  }
  const own = psbt.inputs[0]?.coin.script ?? new Uint8Array(0);
  const vbytes = virtualSize(
    psbt.inputs.length,
    own,
    psbt.outputs.map(({ script }) => script),
  );
  const fee = feeOfPsbt(psbt);
  const least = feeOf(floor.least, vbytes);
  if (fee < least) return invalid(`its fee of ${fee} satoshis is too low: nodes ask for ${least}`);
  const payable = judgeFee(fee, feeCap);
  return payable.ok
    ? ok({ unsigned, sequence: undefined, details: detailsOf(fee, vbytes, psbt.inputs.length) })
    : payable;
};
