import { fail, ok, type Result } from "@conclave/custody";
import { BlockPieces } from "../../answers/block-pieces.ts";
import { ofBlock } from "../../answers/hurdle.ts";
import { restingFetch } from "../../breaker/node/resting-fetch.ts";
import { type NodeSurroundings, processSurroundings } from "../../breaker/node/surroundings.ts";
import type { BuiltTransaction, ChainNode, TransactionIntent } from "../../chain.ts";
import { SentBlocks } from "../../sent-blocks.ts";
import { buildTron } from "../build.ts";
import type { TronNetwork } from "../network.ts";
import { type TronPlan, tronPlan } from "../plan.ts";
import { parseTronAddress } from "../rules/address.ts";
import { tronId } from "../transaction.ts";
import { type TronPieces, tronArrivals } from "./arrivals.ts";
import { BlockProgress } from "./block-progress.ts";
import { genesisBlockOf, lastTronBlock, tronBlock, tronHead } from "./blocks.ts";
import { broadcastTron } from "./broadcast.ts";
import { tronFate } from "./fate.ts";
import { describeTronToken, sunOf, trc721Owner, tronTokenBalance } from "./holdings.ts";
import { connectTron, type TronHttp } from "./http.ts";
import { tronSituation } from "./look-around.ts";
import { judgeTronRecipient } from "./recipient.ts";
import { referredBlock } from "./reference.ts";
import { findSentTron } from "./sent.ts";
import { sightTron } from "./sight.ts";

const TRANSACTION_ID = /^[0-9a-f]{64}$/;

const addressIn = (text: string): string => {
  const address = parseTronAddress(text, "address");
  if (!address.ok) throw new TypeError("an account is named by its address");
  return address.value;
};

/**
 * Refuses a caller's own bytes that the chain already has, or that refer to no block of this chain and so can never
 * land. They land once, from any sender, so a second request for them would take the first one's landing for its
 * own.
 */
const judgeGiven = async (http: TronHttp, plan: TronPlan): Promise<Result<void>> => {
  if (plan.kind !== "exact") return ok(undefined);
  const seen = await sightTron(http, tronId(plan.unsigned));
  if (!seen.ok) return seen;
  if (seen.value.kind !== "unknown") {
    return fail(
      "TransactionInvalid",
      { field: "transaction" },
      "the chain has this very transaction already",
    );
  }
  const head = await lastTronBlock(http, "wallet");
  if (!head.ok) return head;
  const block = await referredBlock(http, "wallet", plan.draft, head.value);
  if (!block.ok) return block;
  return block.value.kind !== "block"
    ? fail(
        "TransactionInvalid",
        { field: "ref_block_hash" },
        "the transaction is not valid: it refers to a block that the chain does not have; make it again with the latest block",
      )
    : ok(undefined);
};

/** Reads the chain's state and builds the unsigned transaction of a request. */
const lookAndBuild = async (
  network: TronNetwork,
  http: TronHttp,
  intent: TransactionIntent,
): Promise<Result<BuiltTransaction>> => {
  const plan = tronPlan(intent.act);
  if (!plan.ok) return plan;
  const given = await judgeGiven(http, plan.value);
  if (!given.ok) return given;
  const situation = await tronSituation(http, addressIn(intent.sender), plan.value.contract);
  return situation.ok ? buildTron(network, situation.value, intent) : situation;
};

/** The node of a TRON network, by its HTTP interface. */
export const tronNode = (
  network: TronNetwork,
  surroundings: NodeSurroundings = processSurroundings,
): ChainNode<TronNetwork> => {
  const http = connectTron(network, undefined, restingFetch(surroundings));
  const progress = new BlockProgress();
  const blocks = new SentBlocks();
  const pieces: TronPieces = new BlockPieces();
  return {
    network,
    build: (intent) => lookAndBuild(network, http, intent),
    broadcast: (signed) => broadcastTron(http, signed),
    head: () => tronHead(http),
    ofChain: () => genesisBlockOf(http),
    block: (height, ours) => tronBlock(http, height, ours),
    sight: (txHash, expected) => {
      if (!TRANSACTION_ID.test(txHash))
        throw new TypeError("a transaction's id is 32 bytes in lower-case hex");
      return sightTron(http, txHash, expected);
    },
    judgeRecipient: (transfer) => judgeTronRecipient(http, transfer),
    arrivals: async (height, areOurs, arePayers) =>
      ofBlock(http.network, height, await tronArrivals(http, pieces, height, { areOurs, arePayers })),
    fateOf: (_sender, transactions) => tronFate(network, http, progress, transactions),
    findSent: (sender, search) => findSentTron(network, http, blocks, addressIn(sender), search),
    nextSequence: async () => ok(undefined),
    describeToken: (token) => describeTronToken(http, token),
    balance: (owner) => sunOf(http, addressIn(owner)),
    tokenBalance: (owner, token) => tronTokenBalance(http, addressIn(owner), token),
    tokenOwner: (token, tokenId) => trc721Owner(http, addressIn(token), tokenId),
    feeLevels: async () => fail("PriorityNotSupported", { network: network.network }),
  };
};
