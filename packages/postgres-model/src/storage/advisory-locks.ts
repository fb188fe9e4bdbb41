import type { LockHolder } from "./holder.ts";

type Mode = "exclusive" | "shared";

/** Advisory locks of transactions, by key. */
export class AdvisoryLocks {
  readonly #held = new Map<bigint, Map<LockHolder, Mode>>();
  readonly #keys = new Map<LockHolder, Set<bigint>>();

  /**
   * Takes a lock, if no other transaction holds it in a mode that excludes this one.
   * @returns the transactions that hold it; none if it was taken
   */
  take(key: bigint, transaction: LockHolder, mode: Mode): readonly LockHolder[] {
    const holders = this.#held.get(key) ?? new Map<LockHolder, Mode>();
    const blockers = [...holders].flatMap(([holder, held]) =>
      holder !== transaction && (mode === "exclusive" || held === "exclusive") ? [holder] : [],
    );
    if (blockers.length > 0) return blockers;
    if (holders.get(transaction) !== "exclusive") holders.set(transaction, mode);
    this.#held.set(key, holders);
    const keys = this.#keys.get(transaction) ?? new Set<bigint>();
    this.#keys.set(transaction, keys.add(key));
    return [];
  }

  /** Releases all locks of a transaction. */
  release(transaction: LockHolder): void {
    for (const key of this.#keys.get(transaction) ?? []) {
      const holders = this.#held.get(key);
      holders?.delete(transaction);
      if (holders?.size === 0) this.#held.delete(key);
    }
    this.#keys.delete(transaction);
  }
}
