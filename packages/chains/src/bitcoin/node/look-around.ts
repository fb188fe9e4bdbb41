import { ok, type Result } from "@conclave/custody";
import { fewAtATime } from "../../answers/few-at-a-time.ts";
import type { TransactionIntent } from "../../chain.ts";
import { candidateCoins, spareCoins, type WantedCoins } from "../coins/candidates.ts";
import { costAtRate, costOfInput } from "../coins/choose.ts";
import { type BitcoinCoin, coinName, sumOfCoins } from "../coins/coin.ts";
import { feeOf } from "../coins/fees.ts";
import type { OurTransactions } from "../coins/ours.ts";
import type { BitcoinPlan } from "../plan.ts";
import { hasLockOfTime } from "../relay-rules.ts";
import type { BitcoinSituation } from "../situation.ts";
import { type PsbtInput, transactionOf } from "../wire/psbt.ts";
import { txidOf } from "../wire/transaction.ts";
import { lastBlock, medianTimeAt } from "./blocks.ts";
import { type CoinScanner, provedCoin, unspentOutput } from "./coins.ts";
import { feeFloor, feesWithDescendants, rateFor } from "./market.ts";
import type { PreviousTransactions } from "./previous.ts";
import type { BitcoinRpc } from "./rpc.ts";

/** The dependencies of reading the situation. */
export interface BitcoinSurroundings {
  readonly rpc: BitcoinRpc;
  readonly scanner: CoinScanner;
  readonly previous: PreviousTransactions;
  /** confirmations until a block counts as final */
  readonly finality: number;
}

interface Coins extends Pick<BitcoinSituation, "coins" | "unspent" | "inPool"> {}

const isThere = <T>(value: T | undefined): value is T => value !== undefined;

/** An input's coin with its age. @param tip height of the last block */
const agedCoin = async (
  rpc: BitcoinRpc,
  tip: bigint,
  { outpoint, sequence }: PsbtInput,
): Promise<Result<BitcoinCoin | undefined>> => {
  const found = await unspentOutput(rpc, outpoint, true);
  if (!found.ok || found.value === undefined) return found.ok ? ok(undefined) : found;
  const { amount, confirmations, isCoinbase } = found.value;
  // a transaction in the pool counts as if in the next block (BIP-68)
  const before = tip - confirmations;
  const isTimed = hasLockOfTime(sequence) && before >= 0n;
  const madeAfter = isTimed ? await medianTimeAt(rpc, before) : ok(0n);
  if (!madeAfter.ok) return madeAfter;
  return ok({
    outpoint,
    amount,
    previous: undefined,
    age: { confirmations, isCoinbase, madeAfter: madeAfter.value },
  });
};

/** The existing coins of a PSBT's inputs, of any owner. */
const coinsOfExact = async (
  { rpc }: BitcoinSurroundings,
  tip: bigint,
  { psbt }: Extract<BitcoinPlan, { kind: "exact" }>,
): Promise<Result<Coins>> => {
  const found = await fewAtATime(psbt.inputs, (input) => agedCoin(rpc, tip, input));
  return found.ok ? ok({ coins: found.value.filter(isThere), unspent: [], inPool: 0n }) : found;
};

/** The candidate coins of a wallet, each proved. */
const coinsOfWallet = async (
  { rpc, scanner, previous, finality }: BitcoinSurroundings,
  { sender, isGathering = false }: TransactionIntent,
  wanted: WantedCoins,
  { taken, earlier }: OurTransactions,
): Promise<Result<Coins>> => {
  const scanned = await scanner.scan(sender);
  if (!scanned.ok) return scanned;
  const pinned = earlier?.inputs.map(({ outpoint }) => coinName(outpoint)) ?? [];
  const unfree = new Set([...taken, ...pinned]);
  const candidates = isGathering
    ? spareCoins(scanned.value, wanted, unfree, finality)
    : candidateCoins(scanned.value, wanted, unfree);
  const proved = await fewAtATime(candidates, (coin) =>
    provedCoin(rpc, previous, wanted.own, finality, coin),
  );
  if (!proved.ok) return proved;
  const coins = proved.value.filter(isThere);
  return ok({ coins, unspent: scanned.value, inPool: sumOfCoins(candidates) - sumOfCoins(coins) });
};

const wantedFor = (
  plan: Exclude<BitcoinPlan, { kind: "exact" }>,
  own: Uint8Array,
  rate: bigint,
): WantedCoins => {
  const cost = costOfInput({ own, feeFor: (vbytes) => feeOf(rate, vbytes) });
  switch (plan.kind) {
    case "payment":
      return { own, amount: plan.amount, cost };
    case "return":
      return { own, amount: 0n, cost };
    case "gathering": {
      const { maxFeeRate } = plan;
      return { own, amount: undefined, cost: maxFeeRate === undefined ? cost : costAtRate(own, maxFeeRate) };
    }
  }
};

/** Everything on which a transaction depends. */
export const bitcoinSituation = async (
  surroundings: BitcoinSurroundings,
  intent: TransactionIntent,
  own: Uint8Array,
  plan: BitcoinPlan,
  ours: OurTransactions,
): Promise<Result<BitcoinSituation>> => {
  const { rpc } = surroundings;
  const [tip, floor] = await Promise.all([lastBlock(rpc), feeFloor(rpc)]);
  if (!tip.ok) return tip;
  if (!floor.ok) return floor;
  const rate = await rateFor(rpc, intent.priority, floor.value);
  if (!rate.ok) return rate;
  const coins =
    plan.kind === "exact"
      ? await coinsOfExact(surroundings, tip.value.blocks, plan)
      : await coinsOfWallet(surroundings, intent, wantedFor(plan, own, rate.value), ours);
  if (!coins.ok) return coins;
  const replaced =
    intent.sequencing.kind === "replacing" && ours.earlier !== undefined
      ? await feesWithDescendants(rpc, txidOf(transactionOf(ours.earlier)))
      : ok(0n);
  if (!replaced.ok) return replaced;
  return ok({
    height: tip.value.blocks,
    medianTime: tip.value.mediantime,
    rate: rate.value,
    floor: floor.value,
    ...coins.value,
    replacedWithDescendants: replaced.value,
  });
};
