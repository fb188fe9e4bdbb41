import { type Network, networkSchema, ok, type Result } from "@conclave/custody";
import type { BlockPieces } from "../../answers/block-pieces.ts";
import { nodeAway } from "../../answers/node-away.ts";
import { dateBySeconds } from "../../block-date.ts";
import type { AreOurs, Arrival } from "../../chain.ts";
import { flatMapInTurns, type ReadingTurns } from "../../turns/node/in-turns.ts";
import { oursAmong } from "../../turns/node/ours-among.ts";
import type { BitcoinNetwork } from "../network.ts";
import { bitcoinAddressPaid } from "../rules/script.ts";
import { type BareTransaction, txidOf } from "../wire/transaction.ts";
import { finalHashAt, judgeChain } from "./blocks.ts";
import type { PreviousTransactions } from "./previous.ts";
import { readRawBlock } from "./raw-block.ts";
import type { BitcoinRpc } from "./rpc.ts";

/** The previous transaction of a coinbase input, which spends no coin. */
const NO_TRANSACTION_ID = "0".repeat(64);

/**
 * For blocks that are read over several rounds: the addresses whose coins transactions spend; undefined for a script
 * without an address.
 */
export type BitcoinSenders = BlockPieces<{ readonly address: string | undefined }>;

/** The dependencies of reading arrivals. */
interface Reading {
  readonly network: BitcoinNetwork;
  readonly rpc: BitcoinRpc;
  readonly previous: PreviousTransactions;
  readonly senders: BitcoinSenders;
}

interface Paid {
  readonly transaction: BareTransaction;
  readonly index: number;
  readonly to: string;
  readonly amount: bigint;
}

function* outputsIn(transactions: readonly BareTransaction[]) {
  for (const transaction of transactions) {
    for (const [index, output] of transaction.outputs.entries()) yield { transaction, index, output };
  }
}

/** The outputs of transactions that pay to an address. */
const paidIn = (
  network: Network,
  transactions: readonly BareTransaction[],
  turns: ReadingTurns,
): Promise<readonly Paid[]> =>
  flatMapInTurns(
    outputsIn(transactions),
    ({ transaction, index, output: { amount, script } }) => {
      const to = bitcoinAddressPaid(network, script);
      return to === undefined || amount === 0n ? [] : [{ transaction, index, to, amount }];
    },
    turns,
  );

/** The addresses whose coins a transaction spends; undefined for a script without an address, and for a coinbase. */
const sendersOf = async (
  { network, rpc, previous, senders }: Reading,
  block: string,
  { inputs }: BareTransaction,
): Promise<Result<readonly (string | undefined)[]>> => {
  const name = networkSchema.parse(network.network);
  const found = await senders.pieces(
    block,
    inputs,
    ({ outpoint: { txid, index } }) => `${txid}:${index}`,
    async ({ outpoint: { txid, index } }) => {
      if (txid === NO_TRANSACTION_ID) return ok({ address: undefined });
      const made = await previous.read(txid);
      if (!made.ok) return made;
      const coin = made.value?.outputs[index];
      return coin === undefined
        ? nodeAway(rpc.network, `it does not know the coin of ${txid}`)
        : ok({ address: bitcoinAddressPaid(name, coin.script) });
    },
  );
  return found.ok ? ok(found.value.map(({ address }) => address)) : found;
};

/** The arrivals of a transaction for our wallets. An output to an address whose coins the transaction spends is change. */
const arrivalsBy = async (
  reading: Reading,
  block: string,
  transaction: BareTransaction,
  toOurs: readonly Paid[],
): Promise<Result<readonly Arrival[]>> => {
  const senders = await sendersOf(reading, block, transaction);
  if (!senders.ok) return senders;
  const distinct = new Set(senders.value);
  const [first] = distinct;
  // coins of several addresses have no single sender
  const from = distinct.size === 1 ? first : undefined;
  const txHash = txidOf(transaction);
  return ok(
    toOurs
      .filter(({ to }) => !distinct.has(to))
      .map(({ index, to, amount }) => ({
        txHash,
        place: `output ${index}`,
        from,
        moved: { kind: "Native", to, amount: amount.toString() },
      })),
  );
};

/**
 * The arrivals of a block for our wallets, one for each output. A node of another chain is refused.
 *
 * @returns undefined if the node has pruned the block; ServiceUnavailable while it does not call it final
 */
export const bitcoinArrivals = async (
  reading: Reading,
  height: bigint,
  areOurs: AreOurs,
): Promise<Result<readonly Arrival[] | undefined>> => {
  const { network, rpc } = reading;
  const chain = await judgeChain(network, rpc);
  if (!chain.ok) return chain;
  const hash = await finalHashAt(network, rpc, height);
  if (!hash.ok) return hash;
  const block = await readRawBlock(rpc, hash.value);
  if (!block.ok || block.value === undefined) return block.ok ? ok(undefined) : block;
  const name = networkSchema.parse(network.network);
  const { time, transactions } = block.value;
  const paid = await paidIn(name, transactions, rpc.turns);
  const ours = await oursAmong(areOurs, paid, ({ to }) => to, rpc.turns);
  const toOurs = new Map<BareTransaction, Paid[]>();
  for (const each of paid.filter(({ to }) => ours.has(to))) {
    const others = toOurs.get(each.transaction);
    if (others === undefined) toOurs.set(each.transaction, [each]);
    else others.push(each);
  }
  const arrivals: Arrival[] = [];
  for (const [transaction, received] of toOurs) {
    const found = await arrivalsBy(reading, hash.value, transaction, received);
    if (!found.ok) return found;
    arrivals.push(...found.value);
  }
  reading.senders.forget(hash.value);
  return ok(arrivals.map((arrival) => ({ ...arrival, ...dateBySeconds(time) })));
};
