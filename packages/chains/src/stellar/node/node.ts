import { fail, ok, type Result } from "@conclave/custody";
import { BlockPieces } from "../../answers/block-pieces.ts";
import { ofBlock } from "../../answers/hurdle.ts";
import { type NodeWire, restingFetch } from "../../breaker/node/resting-fetch.ts";
import { type NodeSurroundings, processSurroundings } from "../../breaker/node/surroundings.ts";
import type { BroadcastOutcome, BuiltTransaction, ChainNode, TransactionIntent } from "../../chain.ts";
import { buildStellar, callToSimulate } from "../build.ts";
import type { StellarNetwork } from "../network.ts";
import { type StellarPlan, stellarPlan } from "../plan.ts";
import { parseStellarAccount } from "../rules/address.ts";
import { unsignedStellar } from "../signed.ts";
import { decodeStellar, stellarId } from "../transaction.ts";
import { stellarAccountOf } from "./accounts.ts";
import { type StellarPieces, stellarArrivals } from "./arrivals.ts";
import { broadcastStellar } from "./broadcast.ts";
import { stellarFate } from "./fate.ts";
import { describeStellarToken, stroopsOf, trustedBalance } from "./holdings.ts";
import { judgeStellarRecipientAt } from "./judge-recipient.ts";
import { stellarBlock, stellarHead } from "./ledgers.ts";
import { passphraseOf, stellarSituation } from "./look-around.ts";
import { connectStellar, type StellarRest } from "./rest.ts";
import { findSentStellar } from "./sent.ts";
import { sightStellar } from "./sight.ts";
import { simulateCall } from "./simulate.ts";
import { SubmittedMemory } from "./submitted-memory.ts";

const TRANSACTION_HASH = /^[0-9a-f]{64}$/;

const accountIn = (text: string): string => {
  const account = parseStellarAccount(text, "address");
  if (!account.ok) throw new TypeError("an account is named by its address");
  return account.value;
};

/**
 * Refuses a caller's own bytes that the chain already has. They land once, from any sender, so a second request for
 * them would take the first one's landing for its own.
 */
const judgeFresh = async (
  { passphrase }: StellarNetwork,
  rest: StellarRest,
  memory: SubmittedMemory,
  plan: StellarPlan,
): Promise<Result<void>> => {
  if (plan.kind !== "exact") return ok(undefined);
  const seen = await sightStellar(rest, memory, stellarId(passphrase, plan.unsigned));
  if (!seen.ok) return seen;
  return seen.value.kind === "unknown"
    ? ok(undefined)
    : fail("TransactionInvalid", { field: "transaction" }, "the chain has this very transaction already");
};

/** Reads the chain's state and builds the unsigned transaction of a request. */
const lookAndBuild = async (
  network: StellarNetwork,
  rest: StellarRest,
  memory: SubmittedMemory,
  soroban: NodeWire,
  intent: TransactionIntent,
): Promise<Result<BuiltTransaction>> => {
  const plan = stellarPlan(intent.act);
  if (!plan.ok) return plan;
  const fresh = await judgeFresh(network, rest, memory, plan.value);
  if (!fresh.ok) return fresh;
  const from = accountIn(intent.sender);
  const situation = await stellarSituation(rest, from, plan.value);
  if (!situation.ok) return situation;
  const { sender } = situation.value;
  const call =
    sender === undefined
      ? undefined
      : callToSimulate({ situation: situation.value, from, sender }, plan.value);
  if (call === undefined) return buildStellar(network, situation.value, intent);
  const resources = await simulateCall(network, call, soroban);
  return resources.ok
    ? buildStellar(network, { ...situation.value, resources: resources.value }, intent)
    : resources;
};

/**
 * Sends signed bytes to the node. For ten ledgers after a transaction has landed, the node refuses it with the same
 * answer as one that must wait, so a refused transaction is looked for.
 */
const handOver = async (
  { passphrase }: StellarNetwork,
  rest: StellarRest,
  memory: SubmittedMemory,
  signed: Uint8Array,
): Promise<BroadcastOutcome> => {
  const unsigned = unsignedStellar(signed);
  const decoded = decodeStellar(unsigned);
  if (!decoded.ok) throw new TypeError("a transaction was not written here");
  const id = stellarId(passphrase, unsigned);
  const outcome = await broadcastStellar(rest, signed, id);
  if (outcome.kind === "accepted") memory.remember(id, decoded.value.maxTime);
  if (outcome.kind !== "refused") return outcome;
  const seen = await sightStellar(rest, memory, id);
  return seen.ok && seen.value.kind === "included" ? { kind: "accepted" } : outcome;
};

/** The node of a Stellar network, by its REST interface (Horizon). */
export const stellarNode = (
  network: StellarNetwork,
  surroundings: NodeSurroundings = processSurroundings,
): ChainNode<StellarNetwork> => {
  const rest = connectStellar(network.network, network.horizonUrl, undefined, restingFetch(surroundings));
  const soroban = restingFetch(surroundings);
  const memory = new SubmittedMemory(surroundings.monotonicMs);
  const pieces: StellarPieces = { pages: new BlockPieces(), left: new BlockPieces() };
  return {
    network,
    build: (intent) => lookAndBuild(network, rest, memory, soroban, intent),
    broadcast: (signed) => handOver(network, rest, memory, signed),
    head: () => stellarHead(rest),
    ofChain: () => passphraseOf(rest),
    block: (height, ours) => stellarBlock(rest, height, ours),
    judgeRecipient: (transfer) => judgeStellarRecipientAt(network, rest, soroban, transfer),
    sight: (txHash, expected) => {
      if (!TRANSACTION_HASH.test(txHash)) throw new TypeError("a transaction's hash is 32 bytes of hex");
      return sightStellar(rest, memory, txHash, expected);
    },
    arrivals: async (height, areOurs, arePayers) =>
      ofBlock(rest.network, height, await stellarArrivals(rest, pieces, height, { areOurs, arePayers })),
    fateOf: (_sender, transactions) => stellarFate(network, rest, transactions),
    findSent: (sender, search) => findSentStellar(network, rest, accountIn(sender), search),
    nextSequence: async (sender) => {
      const account = await stellarAccountOf(rest, accountIn(sender));
      if (!account.ok) return account;
      return ok(account.value === undefined ? undefined : account.value.sequence + 1n);
    },
    describeToken: async (token) => ok(describeStellarToken(token)),
    balance: (owner) => stroopsOf(rest, accountIn(owner)),
    tokenBalance: (owner, token) => trustedBalance(rest, accountIn(owner), token),
    tokenOwner: async () => ok(undefined),
    feeLevels: async () => fail("PriorityNotSupported", { network: network.network }),
  };
};
