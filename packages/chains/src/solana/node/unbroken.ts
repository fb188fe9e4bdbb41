import { ok, type Result } from "@conclave/custody";
import { headerOfSlot, type SolanaCommitment } from "./blocks.ts";
import type { SolanaRpc } from "./json-rpc.ts";

/**
 * Whether the node's list of blocks has no gap. A node that restarted from a snapshot has the blocks before and after
 * it, and reports the slots between them as skipped (Agave, rpc-client-api, SLOT_SKIPPED); the heights show how many
 * blocks there must be.
 *
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
