import { ok, type Result } from "@conclave/custody";
import { z } from "zod";
import { dateBySeconds } from "../../block-date.ts";
import type { ChainHead, OwnBlock } from "../../chain.ts";
import { asOf, blockTimeField, keyField, signatureField, uint64Field, VERSION_MAX } from "./fields.ts";
import { demandSolana, type SolanaRpc, solanaAway } from "./json-rpc.ts";

/** How certain a block is: "confirmed" has the votes of most of the stake; "finalized" cannot be undone. */
export type SolanaCommitment = "confirmed" | "finalized";

/**
 * Error codes of a node that does not have the block of a slot yet, or no longer, or keeps no blocks (Agave,
 * rpc-client-api, custom_error: BLOCK_NOT_AVAILABLE, BLOCK_CLEANED_UP, TRANSACTION_HISTORY_NOT_AVAILABLE).
 */
const ABSENT = [-32004, -32001, -32011] as const;
/** Error codes of a slot without a block: no leader made one, or the node lost it when it restarted from a later snapshot. */
const SKIPPED = [-32007, -32009] as const;

const headerSchema = z.object({
  blockhash: keyField,
  previousBlockhash: keyField,
  parentSlot: uint64Field,
  blockHeight: uint64Field,
  blockTime: blockTimeField,
  signatures: z.array(signatureField).optional(),
});
export type BlockHeader = z.infer<typeof headerSchema>;

/** A node's answer about a slot. */
export type SlotContent<T> =
  | { readonly kind: "block"; readonly block: T }
  /** the node says that the slot has no block; `blockBefore` checks that */
  | { readonly kind: "skipped" }
  /** the node has no data of the slot yet, or no longer */
  | { readonly kind: "absent" };

/** Reads the block of a slot. @param details the API's name for the amount of transaction data */
export const contentOfSlot = async <T>(
  rpc: SolanaRpc,
  slot: bigint,
  commitment: SolanaCommitment,
  details: "none" | "signatures" | "accounts",
  schema: z.ZodType<T>,
): Promise<Result<SlotContent<T>>> => {
  const config = {
    commitment,
    transactionDetails: details,
    encoding: "json",
    rewards: false,
    maxSupportedTransactionVersion: VERSION_MAX,
  };
  const reply = await rpc.call("getBlock", Number(slot), config);
  switch (reply.kind) {
    case "away":
      return solanaAway(rpc.network, reply.cause, reply.hurdle);
    case "error":
      if (SKIPPED.some((code) => code === reply.code)) return ok({ kind: "skipped" });
      return ABSENT.some((code) => code === reply.code)
        ? ok({ kind: "absent" })
        : solanaAway(rpc.network, `it refuses getBlock: ${reply.words}`);
    case "answer": {
      if (reply.result === null) return ok({ kind: "absent" });
      const block = schema.safeParse(reply.result);
      return block.success
        ? ok({ kind: "block", block: block.data })
        : solanaAway(rpc.network, "its answer to getBlock cannot be read");
    }
  }
};

/** The block of a slot without its transactions. */
export const headerOfSlot = (
  rpc: SolanaRpc,
  slot: bigint,
  commitment: SolanaCommitment,
): Promise<Result<SlotContent<BlockHeader>>> => contentOfSlot(rpc, slot, commitment, "none", headerSchema);

/** The slots in a range that have blocks, in order. */
export const slotsWithBlocks = (
  rpc: SolanaRpc,
  from: bigint,
  to: bigint,
  commitment: SolanaCommitment,
): Promise<Result<readonly bigint[]>> =>
  demandSolana(rpc, {
    method: "getBlocks",
    params: [Number(from), Number(to), { commitment }],
    schema: z.array(uint64Field),
  });

/** The first `count` slots with finalized blocks, from a slot on. */
export const firstSlotsWithBlocks = (
  rpc: SolanaRpc,
  from: bigint,
  count: bigint,
): Promise<Result<readonly bigint[]>> =>
  demandSolana(rpc, {
    method: "getBlocksWithLimit",
    params: [Number(from), Number(count), { commitment: "finalized" }],
    schema: z.array(uint64Field),
  });

export const slotOf = (rpc: SolanaRpc, commitment: SolanaCommitment): Promise<Result<bigint>> =>
  demandSolana(rpc, { method: "getSlot", params: [{ commitment }], schema: uint64Field });

/** A finalized block. */
export interface SolanaFinalBlock {
  readonly slot: bigint;
  readonly height: bigint;
  readonly blockhash: string;
}

/** Slots that are searched for the last one with a block; a longer run without blocks has not been seen. */
const SKIPPED_MAX = 256n;
/** Most blocks that are tried: a node may have reached its last slot, but not show its block yet. */
const TRIED_MAX = 4;

/**
 * The last finalized block that the node shows.
 *
 * @returns ServiceUnavailable if it shows none of the last ones
 */
export const lastFinalBlock = async (rpc: SolanaRpc): Promise<Result<SolanaFinalBlock>> => {
  const last = await slotOf(rpc, "finalized");
  if (!last.ok) return last;
  const first = last.value > SKIPPED_MAX ? last.value - SKIPPED_MAX : 0n;
  const slots = await slotsWithBlocks(rpc, first, last.value, "finalized");
  if (!slots.ok) return slots;
  for (const slot of slots.value.slice(-TRIED_MAX).toReversed()) {
    const header = await headerOfSlot(rpc, slot, "finalized");
    if (!header.ok) return header;
    if (header.value.kind !== "block") continue;
    const { blockhash, blockHeight: height } = header.value.block;
    return ok({ slot, height, blockhash });
  }
  return solanaAway(rpc.network, `it shows no block of its last finalized slots, up to ${last.value}`);
};

const latestSchema = asOf(z.object({ blockhash: keyField, lastValidBlockHeight: uint64Field }));

/** Heights are slots here, because blocks are requested by slot. */
export const solanaHead = async (rpc: SolanaRpc): Promise<Result<ChainHead>> => {
  const [latest, final] = await Promise.all([
    demandSolana(rpc, {
      method: "getLatestBlockhash",
      params: [{ commitment: "confirmed" }],
      schema: latestSchema,
    }),
    slotOf(rpc, "finalized"),
  ]);
  if (!latest.ok) return latest;
  if (!final.ok) return final;
  const { context, value } = latest.value;
  return ok({
    height: context.slot,
    hash: value.blockhash,
    confirmedHeight: final.value,
    finalHeight: final.value,
  });
};

/**
 * The hash of the last block before an empty slot, which the next block names as its parent.
 *
 * @returns undefined if there is no next block yet, or its parent is not before the slot: then the slot had a block
 */
export const blockBefore = async (
  rpc: SolanaRpc,
  slot: bigint,
  commitment: SolanaCommitment,
): Promise<Result<string | undefined>> => {
  const later = await demandSolana(rpc, {
    method: "getBlocksWithLimit",
    params: [Number(slot) + 1, 1, { commitment }],
    schema: z.array(uint64Field),
  });
  if (!later.ok) return later;
  const [next] = later.value;
  if (next === undefined) return ok(undefined);
  const found = await headerOfSlot(rpc, next, commitment);
  if (!found.ok) return found;
  if (found.value.kind !== "block") return ok(undefined);
  const { parentSlot, previousBlockhash } = found.value.block;
  return ok(parentSlot < slot ? previousBlockhash : undefined);
};

/**
 * Our transactions in a slot's block. For an empty slot it gives the last block before it, without transactions.
 *
 * @returns undefined if the node has no data of the slot yet, or no longer
 */
export const solanaBlock = async (
  rpc: SolanaRpc,
  height: bigint,
  ours: ReadonlySet<string>,
): Promise<Result<OwnBlock | undefined>> => {
  const found = await contentOfSlot(rpc, height, "confirmed", "signatures", headerSchema);
  if (!found.ok) return found;
  switch (found.value.kind) {
    case "absent":
      return ok(undefined);
    case "skipped": {
      const before = await blockBefore(rpc, height, "confirmed");
      if (!before.ok) return before;
      const hash = before.value;
      return ok(hash === undefined ? undefined : { height, hash, parentHash: hash, holds: [] });
    }
    case "block": {
      const {
        blockhash: hash,
        previousBlockhash: parentHash,
        blockTime,
        signatures = [],
      } = found.value.block;
      const holds = signatures.filter((id) => ours.has(id));
      return ok({ height, hash, parentHash, holds, ...dateBySeconds(blockTime) });
    }
  }
};

/** The first slot whose block the node still has. */
export const firstAvailableSlot = (rpc: SolanaRpc): Promise<Result<bigint>> =>
  demandSolana(rpc, { method: "getFirstAvailableBlock", schema: uint64Field });

/** Whether a blockhash is that of a block with this commitment, and recent enough for a transaction. */
export const isValidBlockhash = async (
  rpc: SolanaRpc,
  blockhash: string,
  commitment: SolanaCommitment,
): Promise<Result<boolean>> => {
  const found = await demandSolana(rpc, {
    method: "isBlockhashValid",
    params: [blockhash, { commitment }],
    schema: asOf(z.boolean()),
  });
  return found.ok ? ok(found.value.value) : found;
};

/** Whether the node is behind its cluster. getHealth answers only if it is not; otherwise it gives an error (-32005). */
export const isBehindCluster = async (rpc: SolanaRpc): Promise<Result<boolean>> => {
  const healthy = await demandSolana(rpc, { method: "getHealth", schema: z.literal("ok") });
  return healthy.ok ? ok(false) : healthy;
};

/** The genesis hash, which identifies the node's chain. */
export const genesisHashOf = async (rpc: SolanaRpc): Promise<Result<string>> =>
  demandSolana(rpc, { method: "getGenesisHash", schema: keyField });
