import { ok, type Result } from "@conclave/custody";
import { headerOfSlot, type SolanaFinalBlock, slotsWithBlocks } from "./blocks.ts";
import { type SolanaRpc, solanaAway } from "./json-rpc.ts";

/** Slots that one call searches. */
const SLOTS_A_CALL = 512n;
/** Blocks that are requested at once. */
const AT_ONCE = 16;
/** Most searches that are remembered. */
const SEARCHES_MAX = 1_000;

/** A range of slots that was searched. */
interface Searched {
  readonly from: bigint;
  readonly to: bigint;
}

/** The progress of a search: the block, or the searched range. */
type Search = SolanaFinalBlock | Searched;

/**
 * Finds the finalized block of a blockhash. Nodes do not look blocks up by hash. Transactions that we build name the
 * slot in their memo; for a caller's own bytes, blocks are searched from the newest to the oldest, some in each call.
 */
export class BlockhashSearch {
  readonly #rpc: SolanaRpc;
  readonly #searches = new Map<string, Search>();

  constructor(rpc: SolanaRpc) {
    this.#rpc = rpc;
  }

  /**
   * @param hint the slot of the block, as the transaction claims
   * @param last the last finalized slot
   * @returns ServiceUnavailable while it is not found
   */
  async find(blockhash: string, hint: bigint | undefined, last: bigint): Promise<Result<SolanaFinalBlock>> {
    const known = this.#searches.get(blockhash);
    if (known !== undefined && "slot" in known) return ok(known);
    // tried each time, because the node may not have had the block before
    if (hint !== undefined && hint <= last) {
      const hinted = await this.#blockIn(hint, blockhash);
      if (!hinted.ok) return hinted;
      if (hinted.value !== undefined) return ok(this.#remember(blockhash, hinted.value));
    }
    return this.#lookFurther(blockhash, known ?? { from: last + 1n, to: last }, last);
  }

  /** Searches the slots that came since, in case the node was behind, and then further down. */
  async #lookFurther(blockhash: string, searched: Searched, last: bigint): Promise<Result<SolanaFinalBlock>> {
    const to = searched.to + SLOTS_A_CALL < last ? searched.to + SLOTS_A_CALL : last;
    const from = searched.from > SLOTS_A_CALL ? searched.from - SLOTS_A_CALL : 0n;
    for (const [first, end] of [
      [searched.to + 1n, to],
      [from, searched.from - 1n],
    ] as const) {
      const found = await this.#lookThrough(blockhash, first, end);
      if (!found.ok) return found;
      if (found.value !== undefined) return ok(this.#remember(blockhash, found.value));
    }
    this.#remember(blockhash, { from, to: to < searched.to ? searched.to : to });
    return solanaAway(
      this.#rpc.network,
      `it shows no finalized block ${blockhash} from slot ${from} on, so it gives no verdict`,
    );
  }

  /** Searches slots, the newest first. */
  async #lookThrough(
    blockhash: string,
    from: bigint,
    to: bigint,
  ): Promise<Result<SolanaFinalBlock | undefined>> {
    if (from > to) return ok(undefined);
    const slots = await slotsWithBlocks(this.#rpc, from, to, "finalized");
    if (!slots.ok) return slots;
    const newestFirst = slots.value.toReversed();
    for (let at = 0; at < newestFirst.length; at += AT_ONCE) {
      const some = newestFirst.slice(at, at + AT_ONCE);
      const found = await Promise.all(some.map((slot) => this.#blockIn(slot, blockhash)));
      for (const block of found) {
        if (!block.ok || block.value !== undefined) return block;
      }
    }
    return ok(undefined);
  }

  /** @returns undefined if the slot has another block, or the node shows none */
  async #blockIn(slot: bigint, blockhash: string): Promise<Result<SolanaFinalBlock | undefined>> {
    const found = await headerOfSlot(this.#rpc, slot, "finalized");
    if (!found.ok) return found;
    const block = found.value.kind === "block" ? found.value.block : undefined;
    return ok(block?.blockhash === blockhash ? { slot, height: block.blockHeight, blockhash } : undefined);
  }

  #remember<Found extends Search>(blockhash: string, found: Found): Found {
    this.#searches.delete(blockhash);
    this.#searches.set(blockhash, found);
    const { value: oldest } = this.#searches.keys().next();
    if (this.#searches.size > SEARCHES_MAX && oldest !== undefined) this.#searches.delete(oldest);
    return found;
  }
}
