import { ok, type Result } from "@conclave/custody";
import { headerOfSlot, type SolanaCommitment, slotsWithBlocks } from "./blocks.ts";
import type { SolanaRpc } from "./json-rpc.ts";

/** Slots that are listed in one call, and calls: of a hundred slots some five have no block. */
const SLOTS_A_CALL = 1_000n;
const CALLS_MAX = 10n;

/**
 * Whether a node has the block of a slot and all of so many that follow it.
 * @param last the last slot that the node has with this commitment; the range ends before
 */
export const hasWholeRange = async (
  rpc: SolanaRpc,
  { slot, blocks }: { readonly slot: bigint; readonly blocks: bigint },
  last: bigint,
  commitment: SolanaCommitment,
): Promise<Result<boolean>> => {
  const slots: bigint[] = [];
  for (let from = slot; slots.length <= blocks && from <= last; from += SLOTS_A_CALL) {
    if (from >= slot + CALLS_MAX * SLOTS_A_CALL) return ok(false);
    const end = from + SLOTS_A_CALL - 1n;
    const listed = await slotsWithBlocks(rpc, from, end < last ? end : last, commitment);
    if (!listed.ok) return listed;
    slots.push(...listed.value);
  }
  if (slots.length <= blocks || slots[0] !== slot) return ok(false);
  return isUnbroken(rpc, slots.slice(0, Number(blocks) + 1), commitment);
};

/**
 * Whether nothing is missing between the blocks that a node listed. One that was started again from a snapshot has what came before
 * and after, and calls the slots between them skipped (Agave, rpc-client-api, SLOT_SKIPPED): the heights tell how many there are.
 * @param slots in their order
 */
export const isUnbroken = async (
  rpc: SolanaRpc,
  slots: readonly bigint[],
  commitment: SolanaCommitment,
): Promise<Result<boolean>> => {
  const [first, last] = [slots[0], slots.at(-1)];
  if (first === undefined || last === undefined) return ok(false);
  const [begin, end] = await Promise.all([
    headerOfSlot(rpc, first, commitment),
    headerOfSlot(rpc, last, commitment),
  ]);
  if (!begin.ok) return begin;
  if (!end.ok) return end;
  if (begin.value.kind !== "block" || end.value.kind !== "block") return ok(false);
  return ok(end.value.block.blockHeight - begin.value.block.blockHeight === BigInt(slots.length - 1));
};
