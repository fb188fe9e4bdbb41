import { networkSchema, ok, type Result } from "@conclave/custody";
import { equalBytes, hexToBytes } from "@noble/curves/utils.js";
import { z } from "zod";
import { nodeAway } from "../../answers/node-away.ts";
import type { SentSearch, SentTransaction } from "../../chain.ts";
import type { BitcoinNetwork } from "../network.ts";
import { type BitcoinPlan, bitcoinPlan } from "../plan.ts";
import { bitcoinScript } from "../rules/address.ts";
import { bitcoinScriptType } from "../rules/script.ts";
import { encodePsbt, type PsbtInput, transactionOf } from "../wire/psbt.ts";
import { type BareTransaction, encodeTransaction, txidOf } from "../wire/transaction.ts";
import { hashSchema, judgeChain, lastBlock } from "./blocks.ts";
import type { CoinScanner } from "./coins.ts";
import { coinTakers } from "./fate.ts";
import { type PreviousTransactions, transactionCalled } from "./previous.ts";
import { readRawBlock } from "./raw-block.ts";
import { type BitcoinRpc, demandBitcoind } from "./rpc.ts";
import type { Spenders } from "./spenders.ts";

const MS_IN_SECOND = 1_000n;
/** This many consecutive blocks dated before the time end the search: miners' dates are up to an hour early or late. */
const BLOCKS_BEFORE = 6;
/** Most blocks that one search reads: some two weeks. */
const BLOCKS_READ_MAX = 2_016;
/** Coins in one request. */
const COINS_AT_ONCE = 500;

/** The arguments of a search. */
export interface BitcoinSearching {
  readonly network: BitcoinNetwork;
  readonly rpc: BitcoinRpc;
  readonly previous: PreviousTransactions;
  readonly scanner: CoinScanner;
  readonly spenders: Spenders;
}

/** The wallet and the act of the wanted transaction. */
interface Wanted {
  readonly own: Uint8Array;
  readonly plan: BitcoinPlan;
  /** the script to which it pays */
  readonly paid: Uint8Array | undefined;
}

const previousSchema = z.array(
  z.object({ txid: hashSchema, vout: z.bigint(), spendingtxid: hashSchema.optional() }),
);
const hexSchema = z.string().regex(/^(?:[0-9a-f]{2})+$/);

/**
 * Looks for a transaction among those that spend coins of a wallet: in the pool, and in the blocks since a time, the
 * last one first. The chain does not keep PSBTs, so the PSBT is rebuilt, with the transactions that created its coins.
 * A node that shows a wrong witness only delays a request's confirmation, because the txid does not depend on it.
 */
export const findSentBitcoin = async (
  searching: BitcoinSearching,
  sender: string,
  search: SentSearch,
): Promise<Result<SentTransaction | undefined>> => {
  const { network, rpc } = searching;
  const name = networkSchema.parse(network.network);
  const plan = bitcoinPlan(search.act);
  if (!plan.ok) return plan;
  const own = bitcoinScript(name, sender);
  if (own === undefined) throw new TypeError("an address that was judged has a script");
  const paid = plan.value.kind === "payment" ? bitcoinScript(name, plan.value.to) : undefined;
  const wanted = { own, plan: plan.value, paid };
  const chain = await judgeChain(network, rpc);
  if (!chain.ok) return chain;
  if (search.inPlaceOf !== undefined) {
    const takers = await coinTakers(searching, search.inPlaceOf);
    return takers.ok ? firstCalled(searching, wanted, search, takers.value) : takers;
  }
  // the pool first: a transaction that leaves it meanwhile is in a block that is read afterwards
  const waiting = await spendersInPool(searching, sender);
  if (!waiting.ok) return waiting;
  const found = await firstCalled(searching, wanted, search, waiting.value);
  if (!found.ok || found.value !== undefined) return found;
  return findInBlocks(searching, wanted, search);
};

/** The first wanted transaction among these ids. */
const firstCalled = async (
  searching: BitcoinSearching,
  wanted: Wanted,
  { isIt }: SentSearch,
  txids: ReadonlySet<string>,
): Promise<Result<SentTransaction | undefined>> => {
  for (const txid of txids) {
    const read = await searching.previous.read(txid);
    if (!read.ok) return read;
    if (read.value === undefined) continue;
    const sent = await asSent(searching, wanted, read.value);
    if (!sent.ok) return sent;
    if (sent.value !== undefined && (await isIt(sent.value))) return sent;
  }
  return ok(undefined);
};

const findInBlocks = async (
  searching: BitcoinSearching,
  wanted: Wanted,
  { sinceMs, isIt }: SentSearch,
): Promise<Result<SentTransaction | undefined>> => {
  const { rpc } = searching;
  const tip = await lastBlock(rpc);
  if (!tip.ok) return tip;
  let hash = tip.value.bestblockhash;
  for (let [read, before] = [0, 0]; read < BLOCKS_READ_MAX; read += 1) {
    const block = await readRawBlock(rpc, hash);
    if (!block.ok) return block;
    if (block.value === undefined) return nodeAway(rpc.network, `it has no block ${hash} any more`);
    const { time, transactions, parent } = block.value;
    for (const transaction of transactions) {
      if (!isWanted(wanted, transaction)) continue;
      const sent = await asSent(searching, wanted, transaction);
      if (!sent.ok) return sent;
      if (sent.value !== undefined && (await isIt(sent.value))) return sent;
    }
    before = Number(time * MS_IN_SECOND) < sinceMs ? before + 1 : 0;
    if (before === BLOCKS_BEFORE || /^0*$/.test(parent)) return ok(undefined);
    hash = parent;
  }
  return nodeAway(rpc.network, "there are more blocks since then than are read");
};

/**
 * Ids of pool transactions that spend coins of the wallet. Only coins in blocks are looked up: our own transactions
 * spend no unconfirmed change.
 */
const spendersInPool = async (
  { rpc, scanner }: BitcoinSearching,
  sender: string,
): Promise<Result<ReadonlySet<string>>> => {
  const coins = await scanner.scan(sender);
  if (!coins.ok) return coins;
  const outputs = coins.value.map(({ outpoint: { txid, index: vout } }) => ({ txid, vout }));
  const spenders = new Set<string>();
  for (let from = 0; from < outputs.length; from += COINS_AT_ONCE) {
    const asked = outputs.slice(from, from + COINS_AT_ONCE);
    const found = await demandBitcoind(rpc, previousSchema, "gettxspendingprevout", asked);
    if (!found.ok) return found;
    for (const { spendingtxid } of found.value) if (spendingtxid !== undefined) spenders.add(spendingtxid);
  }
  return ok(spenders);
};

/** Whether a transaction may be the wanted one, by its outputs: few of a block need a closer look. */
const isWanted = ({ own, plan, paid }: Wanted, transaction: BareTransaction): boolean => {
  const [first] = transaction.outputs;
  if (first === undefined) return false;
  switch (plan.kind) {
    case "payment":
      return paid !== undefined && equalBytes(first.script, paid) && first.amount === plan.amount;
    case "return":
    case "gathering":
      return equalBytes(first.script, own);
    case "exact":
      return txidOf(transaction) === txidOf(transactionOf(plan.psbt));
  }
};

/** @returns undefined if it spends coins of others */
const asSent = async (
  { rpc, previous }: BitcoinSearching,
  { own, plan }: Wanted,
  transaction: BareTransaction,
): Promise<Result<SentTransaction | undefined>> => {
  const inputs: PsbtInput[] = [];
  for (const { outpoint, sequence } of transaction.inputs) {
    const made = await previous.read(outpoint.txid);
    if (!made.ok) return made;
    const coin = made.value?.outputs[outpoint.index];
    if (made.value === undefined || coin === undefined || !equalBytes(coin.script, own)) return ok(undefined);
    const needsProof = bitcoinScriptType(own) !== "P2TR";
    const proof = needsProof ? encodeTransaction(made.value) : undefined;
    inputs.push({ outpoint, sequence, coin, previous: proof, sighashType: undefined });
  }
  const { version, lockTime, outputs } = transaction;
  const txHash = txidOf(transaction);
  const raw = await demandBitcoind(rpc, hexSchema, "getrawtransaction", txHash, false);
  if (!raw.ok) return raw;
  if (transactionCalled(txHash, raw.value) === undefined) {
    return nodeAway(rpc.network, `what it gives for ${txHash} is another transaction`);
  }
  const unsigned = plan.kind === "exact" ? plan.unsigned : encodePsbt({ version, lockTime, inputs, outputs });
  return ok({ unsigned, signed: hexToBytes(raw.value), txHash });
};
