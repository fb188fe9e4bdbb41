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
 * The last block in which a transaction may land, by its height above the block of its blockhash: a block takes the hashes of the
 * 151 blocks before it (Agave, MAX_PROCESSING_AGE, counted from its parent).
 */
export const LANDS_WITHIN_BLOCKS = 151n;

interface Known {
  readonly message: Uint8Array;
  readonly draft: SolanaDraft;
}

/** The node's data for the verdict. */
export interface FateParts {
  readonly network: SolanaNetwork;
  readonly rpc: SolanaRpc;
  readonly search: BlockhashSearch;
}

/**
 * Whether transactions of one account can land no more (INV-4): the finalized chain is past the last block in which each could
 * land, and none of the account's transactions since the block of its blockhash is this message.
 *
 * Nothing is proved by an id, which changes with each signature, nor by a node's word that it does not know
 * one. The node's blocks must include every block from the one of the blockhash to the last in which it could
 * land, without a gap, and reach the finalized slot by which that is over: a node that is behind the same load
 * balancer and late does not answer for that slot.
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
 * Looks for the very same message on the chain, under another signature.
 * @returns the landed transaction; undefined where none has; ServiceUnavailable when the node does not show all
 * that the account did
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

/** The slot that a transaction says its blockhash is of. */
const hintOf = ({ instructions }: SolanaDraft): bigint | undefined => {
  for (const instruction of instructions) {
    const memo = instruction.kind === "memo" ? parseRequestMemo(instruction.text) : undefined;
    if (memo !== undefined) return memo.slot;
  }
  return undefined;
};

/** The last finalized block. Another chain's blocks prove nothing: they hold no transaction of this one. */
const finalBlockOfChain = async ({
  network,
  rpc,
}: Pick<FateParts, "network" | "rpc">): Promise<Result<SolanaFinalBlock>> => {
  const [genesis, block] = await Promise.all([genesisHashOf(rpc), lastFinalBlock(rpc)]);
  if (!genesis.ok) return genesis;
  return genesis.value === network.genesisHash ? block : solanaAway(rpc.network, "it is of another chain");
};

/**
 * The last slot in which a transaction could land. The node must have every block from the one of its blockhash to there: their
 * heights tell, for they leave out none.
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

/** Reads what the account has done in the time in which it could land. The node must still have all of it once it was read. */
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
