import { ok, type Result } from "@conclave/custody";
import type { Fate, OwnTransaction } from "../../chain.ts";
import { solanaId } from "../attach.ts";
import { messageOf } from "../message/message.ts";
import type { SolanaNetwork } from "../network.ts";
import { parseRequestMemo } from "../request-tag.ts";
import { decodeSolana, type SolanaDraft } from "../transaction.ts";
import { hasWholeRange } from "./block-range.ts";
import type { BlockhashSearch, SolanaFinalBlock } from "./blockhash-search.ts";
import { firstAvailableSlot, genesisHashOf, headerOfSlot, slotOf } from "./blocks.ts";
import { type SolanaRpc, solanaAway } from "./json-rpc.ts";
import type { LandedAs } from "./landed-as.ts";
import { findLandings } from "./landings.ts";

const OPEN: Fate = { kind: "open" };
/**
 * The last block in which a transaction may land, by its height above the block of its blockhash: a block takes the hashes of the
 * 151 blocks before it (Agave, MAX_PROCESSING_AGE, counted from its parent).
 */
export const LANDS_WITHIN_BLOCKS = 151n;

interface Known {
  readonly id: string;
  readonly message: Uint8Array;
  readonly draft: SolanaDraft;
}

/** What the verdict needs of the node. */
export interface FateParts {
  readonly network: SolanaNetwork;
  readonly rpc: SolanaRpc;
  readonly search: BlockhashSearch;
  readonly landedAs: LandedAs;
}

/**
 * Whether transactions of one account can land no more (INV-4): the finalized chain is past the last block in which each could
 * land, and none of the account's transactions since the block of its blockhash is this message.
 *
 * Nothing is proved by an id, which changes with each signature, nor by a node's word that it does not know one. What the node
 * shows must go back to the block of the blockhash, without a gap, and up to the finalized slot by which the blockhash is over: each
 * question asks for that slot, which a node that is behind the same load balancer and late does not answer.
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
  for (const { unsigned, signed } of transactions) {
    const decoded = decodeSolana(unsigned);
    if (!decoded.ok) return decoded;
    known.push({ id: solanaId(signed), message: messageOf(unsigned), draft: decoded.value });
  }
  const final = await finalizedBlock(parts);
  if (!final.ok) return final;
  let since = final.value.slot;
  for (const { draft } of known) {
    const block = await parts.search.find(draft.blockhash, hintOf(draft), final.value.slot);
    if (!block.ok) return block;
    if (final.value.height <= block.value.height + LANDS_WITHIN_BLOCKS) return ok(OPEN);
    const judged = await judgeHistory(parts, block.value, final.value.slot);
    if (!judged.ok) return judged;
    if (block.value.slot < since) since = block.value.slot;
  }
  const landed = await hasLanded(parts, sender, known, { since, reached: final.value.slot });
  if (!landed.ok) return landed;
  if (landed.value) return ok(OPEN);
  const hashes = known.map(({ draft }) => draft.blockhash).join(", ");
  return ok({ kind: "dead", reason: `its blockhash ${hashes} is too old; this one can never land` });
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
const finalizedBlock = async ({ network, rpc }: FateParts): Promise<Result<SolanaFinalBlock>> => {
  const [genesis, slot] = await Promise.all([genesisHashOf(rpc), slotOf(rpc, "finalized")]);
  if (!genesis.ok) return genesis;
  if (!slot.ok) return slot;
  if (genesis.value !== network.genesisHash) return solanaAway(rpc.network, "it is of another chain");
  const header = await headerOfSlot(rpc, slot.value, "finalized");
  if (!header.ok) return header;
  return header.value.kind === "block"
    ? ok({ slot: slot.value, height: header.value.block.blockHeight })
    : solanaAway(rpc.network, `it has no block of its last finalized slot ${slot.value}`);
};

/** A node that has lost blocks in which a transaction could land lists nothing of them, and gives no verdict. */
const judgeHistory = async (
  { rpc }: FateParts,
  { slot }: SolanaFinalBlock,
  last: bigint,
): Promise<Result<void>> => {
  const isWhole = await hasWholeRange(rpc, { slot, blocks: LANDS_WITHIN_BLOCKS }, last, "finalized");
  if (!isWhole.ok) return isWhole;
  if (isWhole.value) return ok(undefined);
  return solanaAway(rpc.network, `it has not all blocks from slot ${slot} on, so it gives no verdict`);
};

/** Reads what the account has done since. The node must still have all of it once it was read. */
const hasLanded = async (
  { rpc, landedAs }: FateParts,
  owner: string,
  known: readonly Known[],
  range: { readonly since: bigint; readonly reached: bigint },
): Promise<Result<boolean>> => {
  const landings = await findLandings(
    rpc,
    { owner, ...range, commitment: "finalized" },
    known.map(({ message }) => message),
  );
  if (!landings.ok) return landings;
  for (const [index, id] of landings.value) {
    const own = known[index];
    if (own !== undefined && own.id !== id) landedAs.remember(own.id, id);
  }
  if (landings.value.size > 0) return ok(true);
  const first = await firstAvailableSlot(rpc);
  if (!first.ok) return first;
  return first.value <= range.since
    ? ok(false)
    : solanaAway(rpc.network, `it has no blocks before slot ${first.value}, so it gives no verdict`);
};
