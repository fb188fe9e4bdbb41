import { networkSchema, ok, type Result } from "@conclave/custody";
import { BlockPieces } from "../../answers/block-pieces.ts";
import { ofBlock } from "../../answers/hurdle.ts";
import { restingFetch } from "../../breaker/node/resting-fetch.ts";
import { type NodeSurroundings, processSurroundings } from "../../breaker/node/surroundings.ts";
import type { BuiltTransaction, ChainNode, TransactionIntent } from "../../chain.ts";
import { buildBitcoin } from "../build.ts";
import { sumOfCoins } from "../coins/coin.ts";
import { ourTransactions } from "../coins/ours.ts";
import { gatherable, isQuiet } from "../gathering.ts";
import type { BitcoinNetwork } from "../network.ts";
import { bitcoinPlan } from "../plan.ts";
import { bitcoinScript, parseBitcoinAddress } from "../rules/address.ts";
import { type BitcoinSenders, bitcoinArrivals } from "./arrivals.ts";
import { bitcoinBlock, bitcoinHead, firstBlockHashOf, isReadingChain, judgeChain } from "./blocks.ts";
import { broadcastBitcoin } from "./broadcast.ts";
import { CoinScanner } from "./coins.ts";
import { bitcoinFate } from "./fate.ts";
import { type BitcoinSurroundings, bitcoinSituation } from "./look-around.ts";
import { bitcoinMarket, estimateFor } from "./market.ts";
import { PreviousTransactions } from "./previous.ts";
import { connectBitcoind } from "./rpc.ts";
import { findSentBitcoin } from "./sent.ts";
import { sightBitcoin } from "./sight.ts";
import { Spenders } from "./spenders.ts";

const TXID = /^[0-9a-f]{64}$/;

const addressIn = ({ network }: BitcoinNetwork, text: string): string => {
  const address = parseBitcoinAddress(networkSchema.parse(network), text, "address");
  if (!address.ok) throw new TypeError("an account is named by its address");
  return address.value;
};

/** Reads the chain's state and builds the unsigned transaction of a request. */
const lookAndBuild = async (
  network: BitcoinNetwork,
  surroundings: BitcoinSurroundings,
  intent: TransactionIntent,
): Promise<Result<BuiltTransaction>> => {
  const chain = await judgeChain(network, surroundings.rpc);
  if (!chain.ok) return chain;
  const plan = bitcoinPlan(intent.act);
  if (!plan.ok) return plan;
  const own = bitcoinScript(networkSchema.parse(network.network), addressIn(network, intent.sender));
  if (own === undefined) throw new TypeError("an address that was judged has a script");
  const ours = ourTransactions(intent, own);
  if (!ours.ok) return ours;
  const situation = await bitcoinSituation(surroundings, intent, own, plan.value, ours.value);
  return situation.ok ? buildBitcoin(network, situation.value, intent) : situation;
};

/** The node of a Bitcoin network, by its JSON-RPC interface (bitcoind, with an index of all transactions). */
export const bitcoinNode = (
  network: BitcoinNetwork,
  surroundings: NodeSurroundings = processSurroundings,
): ChainNode<BitcoinNetwork> => {
  const rpc = connectBitcoind(network, restingFetch(surroundings));
  const previous = new PreviousTransactions(rpc);
  const scanner = new CoinScanner(rpc);
  const spenders = new Spenders(network, rpc);
  const senders: BitcoinSenders = new BlockPieces();
  return {
    network,
    build: (intent) => lookAndBuild(network, { rpc, scanner, previous, finality: network.finality }, intent),
    broadcast: (signed) => broadcastBitcoin(rpc, signed),
    head: () => bitcoinHead(network, rpc),
    ofChain: () => firstBlockHashOf(rpc),
    isCatchingUp: () => isReadingChain(rpc),
    block: (height, ours) => bitcoinBlock(rpc, height, ours),
    sight: (txHash) => {
      if (!TXID.test(txHash)) throw new TypeError("a transaction's id is 32 bytes in hex");
      return sightBitcoin(network, rpc, previous, txHash);
    },
    arrivals: async (height, areOurs) =>
      ofBlock(
        rpc.network,
        height,
        await bitcoinArrivals({ network, rpc, previous, senders }, height, areOurs),
      ),
    fateOf: (_sender, transactions) => bitcoinFate({ network, rpc, previous, spenders }, transactions),
    findSent: (sender, search) =>
      findSentBitcoin({ network, rpc, previous, scanner, spenders }, addressIn(network, sender), search),
    nextSequence: async () => ok(undefined),
    describeToken: async () => ok({}),
    balance: async (owner) => {
      const coins = await scanner.scan(addressIn(network, owner));
      return coins.ok ? ok(sumOfCoins(coins.value)) : coins;
    },
    tokenBalance: async () => ok(undefined),
    tokenOwner: async () => ok(undefined),
    feeLevels: () => bitcoinMarket(rpc),
    gathering: {
      isCheap: async () => {
        // needed first, because the market contains a guess if the node has seen too few blocks
        const estimate = await estimateFor(rpc, "Standard");
        if (!estimate.ok || estimate.value === undefined) return estimate.ok ? ok(false) : estimate;
        const market = await bitcoinMarket(rpc);
        return market.ok ? ok(isQuiet(market.value)) : market;
      },
      coinsOf: async (owner) => {
        const address = addressIn(network, owner);
        const own = bitcoinScript(networkSchema.parse(network.network), address);
        if (own === undefined) throw new TypeError("an address that was judged has a script");
        const coins = await scanner.scan(address);
        if (!coins.ok) return coins;
        return ok(
          gatherable(
            own,
            coins.value.filter(({ confirmations }) => confirmations >= BigInt(network.finality)),
          ),
        );
      },
    },
  };
};
