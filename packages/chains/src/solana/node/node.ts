import { type FamilyContent, fail, ok, type Result } from "@conclave/custody";
import { BlockPieces } from "../../answers/block-pieces.ts";
import { ofBlock } from "../../answers/hurdle.ts";
import { restingFetch } from "../../breaker/node/resting-fetch.ts";
import { type NodeSurroundings, processSurroundings } from "../../breaker/node/surroundings.ts";
import type { BuiltTransaction, ChainNode, TransactionIntent } from "../../chain.ts";
import { buildSolana } from "../build.ts";
import { SOLANA_UNITS_MAX } from "../fee.ts";
import { messageOf } from "../message/message.ts";
import type { SolanaNetwork } from "../network.ts";
import { type SolanaPlan, solanaPlan } from "../plan.ts";
import { judgeSolanaRecipient } from "../recipient.ts";
import { solanaTransferSchema } from "../rules/act.ts";
import { parseSolanaAddress } from "../rules/address.ts";
import { accountsAt } from "./accounts.ts";
import { solanaArrivals } from "./arrivals.ts";
import { BlockhashSearch } from "./blockhash-search.ts";
import {
  genesisHashOf,
  isBehindCluster,
  slotOf,
  slotsWithBlocks,
  solanaBlock,
  solanaHead,
} from "./blocks.ts";
import { broadcastSolana } from "./broadcast.ts";
import type { SolanaIncluded } from "./changes.ts";
import { LANDS_WITHIN_BLOCKS, solanaFate, solanaTwin } from "./fate.ts";
import { signatureField } from "./fields.ts";
import { describeSolanaToken, lamportsOf, solanaTokenBalance } from "./holdings.ts";
import { connectSolana, type SolanaRpc, solanaAway } from "./json-rpc.ts";
import { findLanding } from "./landings.ts";
import { solanaSituation } from "./look-around.ts";
import { solanaMarket } from "./prices.ts";
import { findSentSolana, SolanaReads } from "./sent.ts";
import { sightSolana } from "./sight.ts";
import { simulateSolana } from "./simulate.ts";
import { isUnbroken } from "./unbroken.ts";

const addressIn = (text: string): string => {
  const address = parseSolanaAddress(text, "address");
  if (!address.ok) throw new TypeError("an account is named by its address");
  return address.value;
};

/** Far more slots than the blocks occupy whose hashes a transaction may use. */
const SLOTS_LOOKED_BACK = 1_000n;

/**
 * Refuses a caller's own bytes that the chain already has. They land once, from any sender, so a second request for
 * them would take the first one's landing for its own.
 */
const judgeFresh = async (rpc: SolanaRpc, plan: SolanaPlan): Promise<Result<void>> => {
  if (plan.kind !== "exact") return ok(undefined);
  const last = await slotOf(rpc, "confirmed");
  if (!last.ok) return last;
  const from = last.value > SLOTS_LOOKED_BACK ? last.value - SLOTS_LOOKED_BACK : 0n;
  const slots = await slotsWithBlocks(rpc, from, last.value, "confirmed");
  if (!slots.ok) return slots;
  const recent = slots.value.slice(-Number(LANDS_WITHIN_BLOCKS) - 1);
  const since = recent.length > LANDS_WITHIN_BLOCKS || from === 0n ? recent[0] : undefined;
  const isUnbrokenSince = since === undefined ? ok(false) : await isUnbroken(rpc, recent, "confirmed");
  if (!isUnbrokenSince.ok) return isUnbrokenSince;
  if (since === undefined || !isUnbrokenSince.value) {
    return solanaAway(rpc.network, "it has not all blocks of the last minutes");
  }
  const search = {
    owner: plan.draft.from,
    since,
    commitment: "confirmed" as const,
    reached: last.value,
  };
  const found = await findLanding(rpc, search, messageOf(plan.unsigned));
  if (!found.ok) return found;
  return found.value === undefined
    ? ok(undefined)
    : fail("TransactionInvalid", { field: "transaction" }, "the chain has this very transaction already");
};

/** Judges the recipient of a transfer. @throws ZodError if the content is no transfer of Solana */
const lookAtRecipient = async (rpc: SolanaRpc, content: FamilyContent): Promise<Result<void>> => {
  const transfer = solanaTransferSchema.parse(content);
  const found = await accountsAt(rpc, [transfer.to]);
  if (!found.ok) return found;
  const [account] = found.value;
  if (account === undefined) throw new TypeError("as many accounts as were asked for");
  return judgeSolanaRecipient(account, transfer);
};

/** Compute units of the instruction that sets a price, which the simulation does not contain. */
const PRICE_UNITS = 150n;

/**
 * The simulated compute units with a margin of a fifth, because the state may change until the transaction lands; at
 * most the chain's limit.
 */
const withMargin = (units: bigint): number =>
  Math.min(Number(((units + PRICE_UNITS) * 6n) / 5n), SOLANA_UNITS_MAX);

/**
 * Reads the chain's state, builds the unsigned transaction of a request, and lets the node simulate it: first with more
 * compute units than it needs, to learn the number, then exactly the bytes that will be signed.
 */
const lookAndBuild = async (
  network: SolanaNetwork,
  rpc: SolanaRpc,
  intent: TransactionIntent,
): Promise<Result<BuiltTransaction>> => {
  const plan = solanaPlan(intent.act);
  if (!plan.ok) return plan;
  const situation = await solanaSituation(rpc, plan.value, intent.priority);
  if (!situation.ok) return situation;
  const first = buildSolana(network, { ...situation.value, price: undefined }, intent);
  if (!first.ok) return first;
  const fresh = await judgeFresh(rpc, plan.value);
  if (!fresh.ok) return fresh;
  const units = await simulateSolana(rpc, first.value.unsigned);
  if (!units.ok) return units;
  if (plan.value.kind === "exact") return first;
  const last = buildSolana(network, { ...situation.value, units: withMargin(units.value) }, intent);
  if (!last.ok) return last;
  const tried = await simulateSolana(rpc, last.value.unsigned);
  return tried.ok ? last : tried;
};

/** The node of a Solana network, by its JSON-RPC interface. */
export const solanaNode = (
  network: SolanaNetwork,
  surroundings: NodeSurroundings = processSurroundings,
): ChainNode<SolanaNetwork> => {
  const rpc = connectSolana(network, undefined, restingFetch(surroundings));
  const search = new BlockhashSearch(rpc);
  const pieces = new BlockPieces<SolanaIncluded>();
  const reads = new SolanaReads();
  return {
    network,
    build: (intent) => lookAndBuild(network, rpc, intent),
    broadcast: (signed) => broadcastSolana(rpc, signed),
    head: () => solanaHead(rpc),
    ofChain: () => genesisHashOf(rpc),
    isCatchingUp: () => isBehindCluster(rpc),
    block: (height, ours) => solanaBlock(rpc, height, ours),
    sight: (txHash, expected) => {
      if (!signatureField.safeParse(txHash).success) {
        throw new TypeError("a transaction's id is 64 bytes in base58");
      }
      return sightSolana(rpc, txHash, expected);
    },
    judgeRecipient: (transfer) => lookAtRecipient(rpc, transfer),
    arrivals: async (height, areOurs, arePayers) =>
      ofBlock(rpc.network, height, await solanaArrivals(rpc, pieces, height, { areOurs, arePayers })),
    fateOf: (sender, transactions) => solanaFate({ network, rpc, search }, addressIn(sender), transactions),
    twinOf: (sender, own) => solanaTwin({ network, rpc, search }, addressIn(sender), own),
    findSent: (sender, search) => findSentSolana(network, rpc, reads, addressIn(sender), search),
    nextSequence: async () => ok(undefined),
    describeToken: (token) => describeSolanaToken(rpc, token),
    balance: (owner) => lamportsOf(rpc, addressIn(owner)),
    tokenBalance: (owner, token) => solanaTokenBalance(rpc, addressIn(owner), token),
    tokenOwner: async () => ok(undefined),
    feeLevels: () => solanaMarket(rpc),
  };
};
