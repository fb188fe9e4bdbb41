import { POOLED_ATTEMPT_MS } from "@conclave/cluster";
import type { ClaimedPresignatures, PresignatureClaim } from "@conclave/platform";
import { reach } from "@conclave/platform/fault-points";

/**
 * How long a presignature belongs to one orchestrator. When an orchestrator dies, the others and its successor cannot use its stock
 * for this long.
 */
export const LEASE_MS = 45_000;
/**
 * A session begins with a presignature only while at least this much of the lease is left: the time of the session
 * (POOLED_ATTEMPT_MS, after which signers refuse its command), the age of the list that the next holder uses
 * (LIST_AGE_MS_MAX), and 5 s for differing clocks.
 */
export const LEASE_MARGIN_MS: number = POOLED_ATTEMPT_MS + 10_000;
/** Limit on a list's age when a claim is answered: an older list may show as ready what the previous holder has used. */
export const LIST_AGE_MS_MAX = 5_000;
/** A lease with less time left than this is renewed. */
const RENEW_BELOW_MS = 35_000;
/**
 * How long a presignature is left alone after it was handed out. If signers still hold it as ready then, no session of
 * ours has used it.
 */
const TAKEN_MS = 60_000;

/** The record by which orchestrators agree which of them may use a presignature. */
export interface LeaseBook {
  /** @throws Outage */
  claim(asked: Omit<PresignatureClaim, "holder">): Promise<ClaimedPresignatures>;
  release(ids: readonly string[]): Promise<void>;
}

/**
 * The presignatures that only this process may use at the moment: no other orchestrator asks signers for them. Times
 * are in milliseconds of a monotonic clock; a lease counts from before it was requested.
 */
export class Leases {
  readonly #book: LeaseBook;
  readonly #monotonicMs: () => number;
  /** end of the lease, by id */
  readonly #held = new Map<string, number>();
  /** time when it was handed out, by id: not handed out again before signers would have refused the session */
  readonly #taken = new Map<string, number>();
  #otherHolders = 0;

  constructor(book: LeaseBook, monotonicMs: () => number) {
    this.#book = book;
    this.#monotonicMs = monotonicMs;
  }

  /** Number of orchestrators that hold presignatures, this one included; they share the stock. */
  get holders(): number {
    return this.#otherHolders + 1;
  }

  /** Whether a session may begin with the presignature now. */
  isHeld(id: string): boolean {
    return (this.#held.get(id) ?? 0) - LEASE_MARGIN_MS > this.#monotonicMs();
  }

  /** Whether the presignature was handed out so recently that it may be in use. */
  isTaken(id: string): boolean {
    return this.#taken.has(id);
  }

  /** Hands presignatures out: this process uses them once, and no longer renews their leases. */
  take(ids: readonly string[]): void {
    for (const id of ids) {
      this.#held.delete(id);
      this.#taken.set(id, this.#monotonicMs());
    }
  }

  /**
   * Leases presignatures without a lease, and renews leases that end soon.
   *
   * @param ids presignatures that signers hold ready, in order of preference
   * @param most how many of them this process may have
   * @param listedAtMs when signers listed them; undefined for newly made ones, or those that this process already has
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

  /** Drops all leases, as their time may have passed unnoticed; the stock is leased again. */
  doubt(): void {
    this.#held.clear();
  }

  /** Releases unused leases, so that others need not wait until they lapse. */
  async release(): Promise<void> {
    const ids = [...this.#held.keys()];
    this.#held.clear();
    if (ids.length > 0) await this.#book.release(ids);
  }
}
