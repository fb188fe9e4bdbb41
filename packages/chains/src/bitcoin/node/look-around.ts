import { ok, type Result } from "@conclave/custody";
import type { TransactionIntent } from "../../chain.ts";
import { candidateCoins } from "../coins/candidates.ts";
import { type BitcoinCoin, coinName } from "../coins/coin.ts";
import type { OurTransactions } from "../coins/ours.ts";
import type { BitcoinPlan } from "../plan.ts";
import type { BitcoinSituation } from "../situation.ts";
import { transactionOf } from "../wire/psbt.ts";
import { txidOf } from "../wire/transaction.ts";
import { lastBlock } from "./blocks.ts";
import { type CoinScanner, forEachCoin, provedCoin, unspentOutput } from "./coins.ts";
import { feeFloor, feesWithDescendants, rateFor } from "./market.ts";
import type { PreviousTransactions } from "./previous.ts";
import type { BitcoinRpc } from "./rpc.ts";

/** What looking around takes. */
export interface BitcoinSurroundings {
  readonly rpc: BitcoinRpc;
  readonly scanner: CoinScanner;
  readonly previous: PreviousTransactions;
  /** confirmations until a block counts as final */
  readonly finality: number;
}

interface Coins extends Pick<BitcoinSituation, "coins" | "unspent"> {}

const isThere = <T>(value: T | undefined): value is T => value !== undefined;

/** The coins of a PSBT that are there, whoever made them. */
const coinsOfExact = async (
  { rpc }: BitcoinSurroundings,
  { psbt }: Extract<BitcoinPlan, { kind: "exact" }>,
): Promise<Result<Coins>> => {
  const found = await forEachCoin(psbt.inputs, ({ outpoint }) => unspentOutput(rpc, outpoint, true));
  if (!found.ok) return found;
  const coins = found.value.filter(isThere).map((coin): BitcoinCoin => ({ ...coin, previous: undefined }));
  return ok({ coins, unspent: [] });
};

/** The coins of a wallet that are worth a look, each proved. */
const coinsOfWallet = async (
  { rpc, scanner, previous, finality }: BitcoinSurroundings,
  sender: string,
  own: Uint8Array,
  amount: bigint,
  { taken, earlier }: OurTransactions,
): Promise<Result<Coins>> => {
  const scanned = await scanner.scan(sender);
  if (!scanned.ok) return scanned;
  const pinned = earlier?.inputs.map(({ outpoint }) => coinName(outpoint)) ?? [];
  const candidates = candidateCoins(scanned.value, amount, new Set([...taken, ...pinned]));
  const proved = await forEachCoin(candidates, (coin) => provedCoin(rpc, previous, own, finality, coin));
  return proved.ok ? ok({ coins: proved.value.filter(isThere), unspent: scanned.value }) : proved;
};

/** Everything that a transaction depends on. */
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
  const amount = plan.kind === "payment" ? plan.amount : 0n;
  const coins =
    plan.kind === "exact"
      ? await coinsOfExact(surroundings, plan)
      : await coinsOfWallet(surroundings, intent.sender, own, amount, ours);
  if (!coins.ok) return coins;
  const replaced =
    intent.sequencing.kind === "replacing" && ours.earlier !== undefined
      ? await feesWithDescendants(rpc, txidOf(transactionOf(ours.earlier)))
      : ok(0n);
  if (!replaced.ok) return replaced;
  return ok({
    height: tip.value.blocks,
    rate: rate.value,
    floor: floor.value,
    ...coins.value,
    replacedWithDescendants: replaced.value,
  });
};
