import { ok, type Result } from "@conclave/custody";
import { base58 } from "@scure/base";
import type { Fate, OwnTransaction, SignedTransaction } from "../../chain.ts";
import { solanaId } from "../attach.ts";
import { messageOf, withSignature } from "../message/message.ts";
import type { SolanaNetwork } from "../network.ts";
import { parseRequestMemo } from "../request-tag.ts";
import { decodeSolana, type SolanaDraft } from "../transaction.ts";
import type { BlockhashSearch } from "./blockhash-search.ts";
import {
  firstAvailableSlot,
  firstSlotsWithBlocks,
  genesisHashOf,
  headerOfSlot,
  lastFinalBlock,
  type SolanaFinalBlock,
  slotOf,
} from "./blocks.ts";
import { type SolanaRpc, solanaAway } from "./json-rpc.ts";
import { findLanding } from "./landings.ts";

const OPEN: Fate = { kind: "open" };
/**
 * The last block in which a transaction may land, counted from the block of its blockhash: a block accepts the hashes
 * of the 151 blocks before it (Agave, MAX_PROCESSING_AGE, counted from its parent).
 */
export const LANDS_WITHIN_BLOCKS = 151n;

interface Known {
  readonly message: Uint8Array;
  readonly draft: SolanaDraft;
}

/** The dependencies of the verdict. */
export interface FateParts {
  readonly network: SolanaNetwork;
  readonly rpc: SolanaRpc;
  readonly search: BlockhashSearch;
}

/**
 * Whether transactions of one account can no longer land (INV-4): the finalized chain is past the last block in which
 * each could land, and none of the account's transactions since the block of its blockhash is this message.
 *
 * An id proves nothing, because it changes with each signature, nor does a node's answer that it does not know the id.
 * The node's blocks must include every block from that of the blockhash to the last in which it could land, without a
 * gap, and reach the finalized slot that ends this range: a lagging node behind the same load balancer does not answer
 * for that slot.
 *
 * @returns ServiceUnavailable when there is no verdict
 */
export const solanaFate = async (
  parts: FateParts,
  sender: string,
  transactions: readonly OwnTransaction[],
): Promise<Result<Fate>> => {
  if (transactions.length === 0) throw new TypeError("there is no transaction whose fate is asked for");
  const known: Known[] = [];
  for (const { unsigned } of transactions) {
    const decoded = decodeSolana(unsigned);
    if (!decoded.ok) return decoded;
    known.push({ message: messageOf(unsigned), draft: decoded.value });
  }
  const final = await finalBlockOfChain(parts);
  if (!final.ok) return final;
  for (const each of known) {
    const block = await parts.search.find(each.draft.blockhash, hintOf(each.draft), final.value.slot);
    if (!block.ok) return block;
    if (final.value.height <= block.value.height + LANDS_WITHIN_BLOCKS) return ok(OPEN);
    const landed = await hasLanded(parts, sender, each.message, block.value, final.value.slot);
    if (!landed.ok) return landed;
    if (landed.value) return ok(OPEN);
  }
  const hashes = known.map(({ draft }) => draft.blockhash).join(", ");
  return ok({ kind: "dead", reason: `its blockhash ${hashes} is too old; this one can never land` });
};

/**
 * Looks for the same message on the chain, under another signature.
 *
 * @returns the landed transaction; undefined if there is none; ServiceUnavailable if the node does not show all of the
 * account's transactions
 */
export const solanaTwin = async (
  parts: FateParts,
  sender: string,
  { unsigned, signed }: OwnTransaction,
): Promise<Result<SignedTransaction | undefined>> => {
  const decoded = decodeSolana(unsigned);
  if (!decoded.ok) return decoded;
  const [final, reached] = await Promise.all([finalBlockOfChain(parts), slotOf(parts.rpc, "confirmed")]);
  if (!final.ok) return final;
  if (!reached.ok) return reached;
  const { blockhash } = decoded.value;
  const block = await parts.search.find(blockhash, hintOf(decoded.value), final.value.slot);
  if (!block.ok) return block;
  const range = {
    owner: sender,
    since: block.value.slot,
    reached: reached.value,
    commitment: "confirmed",
  } as const;
  const found = await findLanding(parts.rpc, range, messageOf(unsigned));
  if (!found.ok || found.value === undefined || found.value === solanaId(signed)) {
    return found.ok ? ok(undefined) : found;
  }
  return ok({ signed: withSignature(unsigned, base58.decode(found.value)), txHash: found.value });
};

/** The slot of the blockhash, as the transaction's memo claims. */
const hintOf = ({ instructions }: SolanaDraft): bigint | undefined => {
  for (const instruction of instructions) {
    const memo = instruction.kind === "memo" ? parseRequestMemo(instruction.text) : undefined;
    if (memo !== undefined) return memo.slot;
  }
  return undefined;
};

/** The last finalized block, if the node is of this chain; another chain's blocks prove nothing. */
const finalBlockOfChain = async ({
  network,
  rpc,
}: Pick<FateParts, "network" | "rpc">): Promise<Result<SolanaFinalBlock>> => {
  const [genesis, block] = await Promise.all([genesisHashOf(rpc), lastFinalBlock(rpc)]);
  if (!genesis.ok) return genesis;
  return genesis.value === network.genesisHash ? block : solanaAway(rpc.network, "it is of another chain");
};

/**
 * The last slot in which a transaction could land. The node must have every block from that of its blockhash to there;
 * consecutive heights prove that none is missing.
 */
const lastSlotFor = async (rpc: SolanaRpc, { slot, height }: SolanaFinalBlock): Promise<Result<bigint>> => {
  const slots = await firstSlotsWithBlocks(rpc, slot, LANDS_WITHIN_BLOCKS + 1n);
  if (!slots.ok) return slots;
  const last = slots.value.at(-1) ?? slot;
  const header = await headerOfSlot(rpc, last, "finalized");
  if (!header.ok) return header;
  const found = header.value.kind === "block" ? header.value.block.blockHeight : undefined;
  return found === height + LANDS_WITHIN_BLOCKS
    ? ok(last)
    : solanaAway(rpc.network, `it has not all blocks from slot ${slot} to ${last}, so it gives no verdict`);
};

/**
 * Whether the message landed: reads all transactions of the account in the range. Afterwards it checks that the node
 * still has that range.
 */
const hasLanded = async (
  { rpc }: FateParts,
  owner: string,
  message: Uint8Array,
  block: SolanaFinalBlock,
  reached: bigint,
): Promise<Result<boolean>> => {
  const until = await lastSlotFor(rpc, block);
  if (!until.ok) return until;
  const range = { owner, since: block.slot, until: until.value, reached, commitment: "finalized" } as const;
  const landed = await findLanding(rpc, range, message);
  if (!landed.ok) return landed;
  if (landed.value !== undefined) return ok(true);
  const first = await firstAvailableSlot(rpc);
  if (!first.ok) return first;
  return first.value <= block.slot
    ? ok(false)
    : solanaAway(rpc.network, `it has no blocks before slot ${first.value}, so it gives no verdict`);
};
