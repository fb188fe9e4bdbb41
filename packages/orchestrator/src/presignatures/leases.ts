import { POOLED_ATTEMPT_MS } from "@conclave/cluster";
import type { ClaimedPresignatures, PresignatureClaim } from "@conclave/platform";
import { reach } from "@conclave/platform/fault-points";

/**
 * How long a presignature belongs to one orchestrator. When an orchestrator dies, the others and its successor cannot use its stock
 * for this long.
 */
export const LEASE_MS = 45_000;
/**
 * A session begins with a presignature only while its lease lasts for so long: the session itself (POOLED_ATTEMPT_MS, after
 * which signers refuse its command), the age of the list that the next holder goes by (LIST_AGE_MS_MAX), and 5 s by which
 * clocks may be apart.
 */
export const LEASE_MARGIN_MS: number = POOLED_ATTEMPT_MS + 10_000;
/** A list that is older when a claim is answered may show as ready what the holder before has used. */
export const LIST_AGE_MS_MAX = 5_000;
/** A lease with less time left is renewed. */
const RENEW_BELOW_MS = 35_000;
/** A presignature that was handed out is left alone for so long. If signers still hold it ready then, no session of ours used it. */
const TAKEN_MS = 60_000;

/** Where orchestrators agree on whose a presignature is. */
export interface LeaseBook {
  /** @throws Outage */
  claim(asked: Omit<PresignatureClaim, "holder">): Promise<ClaimedPresignatures>;
  release(ids: readonly string[]): Promise<void>;
}

/**
 * The presignatures that are this process's alone: no other orchestrator asks signers for them meanwhile. Time comes in by a
 * clock that only counts, in milliseconds; a lease counts from before it was asked for.
 */
export class Leases {
  readonly #book: LeaseBook;
  readonly #monotonicMs: () => number;
  /** until when, by id */
  readonly #held = new Map<string, number>();
  /** since when, by id: handed out, and never again before signers would have refused the session */
  readonly #taken = new Map<string, number>();
  #otherHolders = 0;

  constructor(book: LeaseBook, monotonicMs: () => number) {
    this.#book = book;
    this.#monotonicMs = monotonicMs;
  }

  /** Orchestrators that hold any, this one included: the stock is shared by them. */
  get holders(): number {
    return this.#otherHolders + 1;
  }

  /** Whether a session may begin with it now. */
  isHeld(id: string): boolean {
    return (this.#held.get(id) ?? 0) - LEASE_MARGIN_MS > this.#monotonicMs();
  }

  /** Whether it was handed out so lately that it may be in use. */
  isTaken(id: string): boolean {
    return this.#taken.has(id);
  }

  /** It is handed out: this process uses it once, and renews it no more. */
  take(ids: readonly string[]): void {
    for (const id of ids) {
      this.#held.delete(id);
      this.#taken.set(id, this.#monotonicMs());
    }
  }

  /**
   * Leases what is not leased, and anew what will not be for long.
   *
   * @param ids that signers hold ready, in the order of preference
   * @param most how many of them this process may have
   * @param listedAtMs when signers were asked; undefined for what was just made, or is this process's already
   * @throws Outage
   */
  async claim(ids: readonly string[], most: number, listedAtMs?: number): Promise<void> {
    const startedMs = this.#monotonicMs();
    for (const [id, takenAtMs] of this.#taken) if (startedMs - takenAtMs > TAKEN_MS) this.#taken.delete(id);
    for (const [id, untilMs] of this.#held) if (untilMs < startedMs) this.#held.delete(id);
    const isLasting = (id: string): boolean => (this.#held.get(id) ?? 0) - startedMs >= RENEW_BELOW_MS;
    const wanted = ids.filter((id) => !this.#taken.has(id) && !isLasting(id));
    const room = most - ids.filter(isLasting).length;
    if (wanted.length === 0 || room <= 0) return;
    const asked = { ids: wanted, most: room, leaseMs: LEASE_MS };
    const { granted, otherHolders } = await this.#book.claim(asked);
    FAULT: if (granted.length > 0) reach("presignature.leased");
    this.#otherHolders = otherHolders;
    const isTooOld = listedAtMs !== undefined && this.#monotonicMs() - listedAtMs > LIST_AGE_MS_MAX;
    for (const id of granted) {
      if (this.#taken.has(id) || (isTooOld && !this.#held.has(id))) continue;
      this.#held.set(id, startedMs + LEASE_MS);
    }
  }

  /** Trusts no lease any more: their time may have passed unseen. The stock is leased anew. */
  doubt(): void {
    this.#held.clear();
  }

  /** Gives back what was not used, so that others need not wait for the leases to lapse. */
  async release(): Promise<void> {
    const ids = [...this.#held.keys()];
    this.#held.clear();
    if (ids.length > 0) await this.#book.release(ids);
  }
}
