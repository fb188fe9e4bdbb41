import { ok, type Result } from "@conclave/custody";
import { z } from "zod";
import { dateBySeconds } from "../../block-date.ts";
import type { ChainHead, OwnBlock } from "../../chain.ts";
import { asOf, blockTimeField, keyField, signatureField, uint64Field, VERSION_MAX } from "./fields.ts";
import { demandSolana, type SolanaRpc, solanaAway } from "./json-rpc.ts";

/** How sure a block is: most of the stake has voted for it, or nothing undoes it any more. */
export type SolanaCommitment = "confirmed" | "finalized";

/**
 * The node has not the block of a slot yet, or not any more, or it keeps none at all (Agave, rpc-client-api, custom_error:
 * BLOCK_NOT_AVAILABLE, BLOCK_CLEANED_UP, TRANSACTION_HISTORY_NOT_AVAILABLE).
 */
const ABSENT = [-32004, -32001, -32011] as const;
/** No leader made a block in the slot, or the node has lost it: it was started again from a snapshot of a later one. */
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

/** A node's data of a slot. */
export type SlotContent<T> =
  | { readonly kind: "block"; readonly block: T }
  /** it says that there is none: `blockBefore` tells whether that is so */
  | { readonly kind: "skipped" }
  /** it has nothing of it yet, or not any more */
  | { readonly kind: "absent" };

/** Asks for the block of a slot. @param details which of its transactions, as the node calls it */
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

/** The slots from one to another that have blocks, in their order. */
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

/** The first slots from one on that have finalized blocks, at most so many. */
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

/** Slots that are looked through for the last one that has a block: a longer pause has not been seen. */
const SKIPPED_MAX = 256n;
/** Blocks that are tried for the last one: a node may have come to its last slot, and not show its block yet. */
const TRIED_MAX = 4;

/**
 * The last finalized block that the node shows.
 * @returns ServiceUnavailable when it shows none of the last ones
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

/** Heights are slots here: a block is asked for by its slot. */
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
 * The hash of the last block before a slot that has none, which the next block names as its parent.
 * @returns undefined where there is no next one yet, or its parent does not stand before the slot: then the slot had a block
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
 * Our transactions in a slot's block. For a slot without a block stands the last block before it, which holds
 * nothing more.
 * @returns undefined when the node has nothing of the slot yet, or not any more
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

/** The first slot of which the node has a block still. */
export const firstAvailableSlot = (rpc: SolanaRpc): Promise<Result<bigint>> =>
  demandSolana(rpc, { method: "getFirstAvailableBlock", schema: uint64Field });

/** Whether a blockhash is one of a block of this commitment that is young enough for a transaction. */
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

/** Whether the node is behind its cluster: it says only that it is not (getHealth), and else does not answer (-32005). */
export const isBehindCluster = async (rpc: SolanaRpc): Promise<Result<boolean>> => {
  const healthy = await demandSolana(rpc, { method: "getHealth", schema: z.literal("ok") });
  return healthy.ok ? ok(false) : healthy;
};

/** Which chain the node is of. */
export const genesisHashOf = async (rpc: SolanaRpc): Promise<Result<string>> =>
  demandSolana(rpc, { method: "getGenesisHash", schema: keyField });
