import { type FamilyContent, fail, ok, type Result } from "@conclave/custody";
import { ofBlock } from "../../answers/hurdle.ts";
import { restingFetch } from "../../breaker/node/resting-fetch.ts";
import { type NodeSurroundings, processSurroundings } from "../../breaker/node/surroundings.ts";
import type { BroadcastOutcome, BuiltTransaction, ChainNode, TransactionIntent } from "../../chain.ts";
import { SentBlocks } from "../../sent-blocks.ts";
import { buildAlgorand } from "../build.ts";
import { ALGORAND_CONTENT } from "../content.ts";
import type { AlgorandNetwork } from "../network.ts";
import { type AlgorandPlan, algorandPlan } from "../plan.ts";
import { parseAlgorandAddress } from "../rules/address.ts";
import { unsuitableAlgorand } from "../rules/recipients.ts";
import { signedId } from "../signed.ts";
import { algorandId } from "../transaction.ts";
import { algorandArrivals } from "./arrivals.ts";
import { broadcastAlgorand } from "./broadcast.ts";
import { algorandFate } from "./fate.ts";
import { assetBalance, describeAsset, microalgosOf } from "./holdings.ts";
import { algorandSituation, chainNow } from "./look-around.ts";
import { type Algod, connectAlgod } from "./rest.ts";
import { RoundMemory } from "./round-memory.ts";
import { algorandBlock, algorandHead, isCatchingUpAlgod, protocolAccounts } from "./rounds.ts";
import { findSentAlgorand } from "./sent.ts";
import { sightAlgorand } from "./sight.ts";
import { trySimulation } from "./simulate.ts";

const TRANSACTION_ID = /^[A-Z2-7]{52}$/;

const addressIn = (text: string): string => {
  const address = parseAlgorandAddress(text, "address");
  if (!address.ok) throw new TypeError("an account is named by its address");
  return address.value;
};

/**
 * Refuses a caller's own bytes that the chain already has. They land once, from any sender, so a second request for
 * them would take the first one's landing for its own.
 */
const judgeFresh = async (algod: Algod, memory: RoundMemory, plan: AlgorandPlan): Promise<Result<void>> => {
  if (plan.kind !== "exact") return ok(undefined);
  const seen = await sightAlgorand(algod, memory, algorandId(plan.unsigned));
  if (!seen.ok) return seen;
  return seen.value.kind === "unknown"
    ? ok(undefined)
    : fail("TransactionInvalid", { field: "transaction" }, "the chain has this very transaction already");
};

/** Reads the chain's state and builds the unsigned transaction of a request. */
const lookAndBuild = async (
  network: AlgorandNetwork,
  algod: Algod,
  memory: RoundMemory,
  intent: TransactionIntent,
): Promise<Result<BuiltTransaction>> => {
  const plan = algorandPlan(intent.act);
  if (!plan.ok) return plan;
  const fresh = await judgeFresh(algod, memory, plan.value);
  if (!fresh.ok) return fresh;
  const situation = await algorandSituation(algod, addressIn(intent.sender), plan.value);
  if (!situation.ok) return situation;
  const built = buildAlgorand(network, situation.value, intent);
  if (!built.ok) return built;
  const tried = await trySimulation(algod, built.value.unsigned);
  return tried.ok ? built : tried;
};

/**
 * Sends signed bytes to the node. For a leased transaction that has landed, the node gives the same refusal as for any
 * other with a held lease, so the transaction is looked for.
 */
const handOver = async (algod: Algod, memory: RoundMemory, signed: Uint8Array): Promise<BroadcastOutcome> => {
  const id = signedId(signed);
  const outcome = await broadcastAlgorand(algod, signed, id);
  if (outcome.kind !== "outdated") return outcome;
  const seen = await sightAlgorand(algod, memory, id);
  return seen.ok && seen.value.kind === "included" ? { kind: "accepted" } : outcome;
};

/** @returns RecipientUnsuitable for an account that only the protocol of the node's chain can debit */
const judgeRecipient = async (algod: Algod, content: FamilyContent): Promise<Result<void>> => {
  const transfer = ALGORAND_CONTENT.parseTransfer(content);
  if (!transfer.ok) return transfer;
  const accounts = await protocolAccounts(algod);
  if (!accounts.ok) return accounts;
  const { to } = transfer.value;
  if (to === accounts.value.feeSink) return unsuitableAlgorand(to, "the fee sink of the network");
  return to === accounts.value.rewardsPool
    ? unsuitableAlgorand(to, "the rewards pool of the network")
    : ok(undefined);
};

/** The node of an Algorand network, by its REST interface (algod). */
export const algorandNode = (
  network: AlgorandNetwork,
  surroundings: NodeSurroundings = processSurroundings,
): ChainNode<AlgorandNetwork> => {
  const algod = connectAlgod(network, undefined, restingFetch(surroundings));
  const memory = new RoundMemory();
  const blocks = new SentBlocks();
  return {
    network,
    build: (intent) => lookAndBuild(network, algod, memory, intent),
    broadcast: (signed) => handOver(algod, memory, signed),
    judgeRecipient: (transfer) => judgeRecipient(algod, transfer),
    head: () => algorandHead(algod),
    ofChain: async () => {
      const now = await chainNow(algod);
      return now.ok ? ok(now.value.genesisHash) : now;
    },
    isCatchingUp: () => isCatchingUpAlgod(algod),
    block: (height, ours) => algorandBlock(algod, height, ours),
    sight: (txHash) => {
      if (!TRANSACTION_ID.test(txHash)) throw new TypeError("a transaction's id is 32 bytes in base32");
      return sightAlgorand(algod, memory, txHash);
    },
    arrivals: async (height, areOurs, arePayers) =>
      ofBlock(algod.network, height, await algorandArrivals(algod, height, { areOurs, arePayers })),
    fateOf: (_sender, transactions) => algorandFate(network, algod, memory, transactions),
    findSent: (sender, search) =>
      findSentAlgorand({ network, algod, memory }, blocks, addressIn(sender), search),
    nextSequence: async () => ok(undefined),
    describeToken: (token) => describeAsset(algod, token),
    balance: (owner) => microalgosOf(algod, addressIn(owner)),
    tokenBalance: (owner, token) => assetBalance(algod, addressIn(owner), token),
    tokenOwner: async () => ok(undefined),
    feeLevels: async () => fail("PriorityNotSupported", { network: network.network }),
  };
};
