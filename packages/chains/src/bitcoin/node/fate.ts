import { ok, type Result } from "@conclave/custody";
import type { Fate, OwnTransaction } from "../../chain.ts";
import { coinName } from "../coins/coin.ts";
import type { BitcoinNetwork } from "../network.ts";
import { decodePsbt, type Psbt, transactionOf } from "../wire/psbt.ts";
import { decodeTransaction, type Outpoint, txidOf } from "../wire/transaction.ts";
import { finalHeight, judgeChain, lastBlock } from "./blocks.ts";
import { unspentOutput } from "./coins.ts";
import type { PreviousTransactions } from "./previous.ts";
import type { BitcoinRpc } from "./rpc.ts";
import { sightBitcoin } from "./sight.ts";
import type { Spenders } from "./spenders.ts";

const OPEN: Fate = { kind: "open" };
/** Most blocks that are read back: some two weeks. */
const BLOCKS_BACK_MAX = 2_016n;
const HEIGHT_MAX = 499_999_999;

/** The dependencies of the search. */
export interface Fates {
  readonly network: BitcoinNetwork;
  readonly rpc: BitcoinRpc;
  readonly previous: PreviousTransactions;
  readonly spenders: Spenders;
}

/** A coin that another transaction has spent for good. */
interface Loss {
  readonly coin: Outpoint;
  readonly spender: string;
  readonly height: bigint;
}

/**
 * Whether transactions of one wallet can no longer land (INV-4): each has lost a coin to a foreign transaction in a
 * final block, or spends change of one that has. That a pool has forgotten them proves nothing, nor does a missing
 * coin: the final block that spends the coin is read. A txid does not depend on signatures.
 *
 * @returns ServiceUnavailable when there is no verdict
 */
export const bitcoinFate = async (
  fates: Fates,
  transactions: readonly OwnTransaction[],
): Promise<Result<Fate>> => {
  if (transactions.length === 0) throw new TypeError("there is no transaction whose fate is asked for");
  const { network, rpc, previous } = fates;
  // another chain's blocks prove nothing
  const chain = await judgeChain(network, rpc);
  if (!chain.ok) return chain;
  const versions: Psbt[] = [];
  for (const { unsigned } of transactions) {
    const psbt = decodePsbt(unsigned);
    if (!psbt.ok) return psbt;
    versions.push(psbt.value);
  }
  const ours = new Set(versions.map((psbt) => txidOf(transactionOf(psbt))));
  for (const txid of ours) {
    const sighting = await sightBitcoin(network, rpc, previous, txid);
    if (!sighting.ok) return sighting;
    if (sighting.value.kind !== "unknown") return ok(OPEN);
  }
  const losses: Loss[] = [];
  for (const psbt of versions) {
    const loss = await lossOf(fates, psbt, ours);
    if (!loss.ok) return loss;
    if (loss.value === undefined) return ok(OPEN);
    losses.push(loss.value);
  }
  const [first] = losses;
  return ok(first === undefined ? OPEN : { kind: "dead", reason: reasonOf(first) });
};

const reasonOf = ({ coin, spender, height }: Loss): string =>
  `${spender} has spent its coin ${coinName(coin)} in block ${height}; this one can never land`;

/** The lost coin of a transaction; undefined if it may still land. */
const lossOf = async (
  fates: Fates,
  psbt: Psbt,
  ours: ReadonlySet<string>,
): Promise<Result<Loss | undefined>> => {
  const blocks = await finalBlocks(fates, psbt);
  if (!blocks.ok) return blocks;
  for (const { outpoint, previous } of psbt.inputs) {
    const loss = await lossOfCoin(fates, blocks.value, outpoint, ours);
    if (!loss.ok || loss.value !== undefined) return loss;
    const unmade = previous === undefined ? ok(undefined) : await lossOfMaker(fates, blocks.value, previous);
    if (!unmade.ok || unmade.value !== undefined) return unmade;
  }
  return ok(undefined);
};

/**
 * The transactions that have spent a given transaction's coins for good.
 *
 * @param unsigned the transaction that has lost its coins
 * @returns their ids; ServiceUnavailable while blocks are still being read
 */
export const coinTakers = async (
  fates: Fates,
  unsigned: Uint8Array,
): Promise<Result<ReadonlySet<string>>> => {
  const psbt = decodePsbt(unsigned);
  if (!psbt.ok) return psbt;
  const blocks = await finalBlocks(fates, psbt.value);
  if (!blocks.ok) return blocks;
  const takers = new Set<string>();
  for (const { outpoint } of psbt.value.inputs) {
    const loss = await lossOfCoin(fates, blocks.value, outpoint, new Set());
    if (!loss.ok) return loss;
    if (loss.value !== undefined) takers.add(loss.value.spender);
  }
  return ok(takers);
};

interface FinalBlocks {
  readonly first: bigint;
  readonly last: bigint;
}

/** The final blocks in which the coins of a transaction may have been spent. */
const finalBlocks = async ({ network, rpc }: Fates, { lockTime }: Psbt): Promise<Result<FinalBlocks>> => {
  const tip = await lastBlock(rpc);
  if (!tip.ok) return tip;
  const last = finalHeight(tip.value.blocks, network.finality);
  return ok({ first: firstSpending(lockTime, last, network), last });
};

/** Whether a foreign transaction has spent a coin for good. */
const lossOfCoin = async (
  { rpc, spenders }: Fates,
  { first, last }: FinalBlocks,
  coin: Outpoint,
  ours: ReadonlySet<string>,
): Promise<Result<Loss | undefined>> => {
  const unspent = await unspentOutput(rpc, coin, false);
  if (!unspent.ok) return unspent;
  if (unspent.value !== undefined) return ok(undefined);
  const spender = await spenders.of(coin, first, last);
  if (!spender.ok || spender.value === undefined) return spender.ok ? ok(undefined) : spender;
  const { txid, height } = spender.value;
  return ok(ours.has(txid) ? undefined : { coin, spender: txid, height });
};

/**
 * Whether a coin can never exist again: a reorganisation removed the transaction that created it, and another
 * transaction has spent one of that transaction's coins for good.
 *
 * @param previous the transaction that created the coin
 */
const lossOfMaker = async (
  fates: Fates,
  blocks: FinalBlocks,
  previous: Uint8Array,
): Promise<Result<Loss | undefined>> => {
  const maker = decodeTransaction(previous);
  const txid = txidOf(maker);
  const sighting = await sightBitcoin(fates.network, fates.rpc, fates.previous, txid);
  if (!sighting.ok) return sighting;
  if (sighting.value.kind !== "unknown") return ok(undefined);
  for (const { outpoint } of maker.inputs) {
    const loss = await lossOfCoin(fates, blocks, outpoint, new Set([txid]));
    if (!loss.ok || loss.value !== undefined) return loss;
  }
  return ok(undefined);
};

/**
 * The first block in which a coin of the transaction may have been spent. The lock time of a transaction that we build
 * is the height when it was built, and its coins existed then; a caller's own bytes may have any lock time.
 */
const firstSpending = (lockTime: number, final: bigint, { finality }: BitcoinNetwork): bigint => {
  const back = final - BLOCKS_BACK_MAX;
  const made = lockTime > 0 && lockTime <= HEIGHT_MAX ? BigInt(lockTime) - BigInt(finality) : 0n;
  const first = made > back && made <= final ? made : back;
  return first > 1n ? first : 1n;
};
