import { Outage } from "@conclave/platform";

/**
 * Divisor of an organisation's limit: the part that a gateway takes at once, so that it asks the shared counter at most
 * this often a minute.
 */
const PARTS = 20;
/** remembered callers from which on those whose minute is over are removed */
const MOST_SUBJECTS = 10_000;

/** The answer of the shared counter. */
export interface AllowanceGrant {
  /** number of requests; 0 when the minute's limit is used up */
  readonly granted: number;
  /** milliseconds until the minute is over */
  readonly endsInMs: number;
}

export interface AllowanceParts {
  /** Takes requests of a subject from the counter that all gateways share. @throws Outage when it is away */
  readonly take: (subject: string, limit: number, wanted: number) => Promise<AllowanceGrant>;
  /** milliseconds of a monotonic clock */
  readonly nowMs: () => number;
  readonly windowMs: number;
  readonly onAway: (outage: Outage) => void;
}

interface Window {
  left: number;
  readonly endsAtMs: number;
  readonly isUsedUp: boolean;
}

/**
 * Counts requests by the minute, together with the other gateways. A gateway takes a part of the limit in one round
 * trip, and spends it alone. So all gateways together never let more through than the limit; they may let a little less
 * through, when one has taken a part that it does not need. While the shared counter is away, each gateway counts for
 * itself.
 */
export class Allowance {
  readonly #parts: AllowanceParts;
  readonly #windows = new Map<string, Window>();
  readonly #asking = new Map<string, Promise<void>>();

  constructor(parts: AllowanceParts) {
    this.#parts = parts;
  }

  /** @returns undefined for a request that may pass; otherwise the milliseconds until the next may */
  async spend(subject: string, limit: number): Promise<number | undefined> {
    for (;;) {
      const nowMs = this.#parts.nowMs();
      const window = this.#windows.get(subject);
      if (window !== undefined && nowMs < window.endsAtMs) {
        if (window.left > 0) {
          window.left -= 1;
          return undefined;
        }
        if (window.isUsedUp) return window.endsAtMs - nowMs;
      }
      await this.#askOnce(subject, limit);
    }
  }

  /** Asks the counter; requests that come meanwhile wait for the same answer. */
  #askOnce(subject: string, limit: number): Promise<void> {
    const asking = this.#asking.get(subject) ?? this.#ask(subject, limit);
    this.#asking.set(subject, asking);
    return asking;
  }

  async #ask(subject: string, limit: number): Promise<void> {
    const { take, nowMs, windowMs, onAway } = this.#parts;
    try {
      const { granted, endsInMs } = await take(subject, limit, Math.ceil(limit / PARTS));
      this.#remember(subject, { left: granted, endsAtMs: nowMs() + endsInMs, isUsedUp: granted === 0 });
    } catch (error) {
      if (!(error instanceof Outage)) throw error;
      onAway(error);
      this.#remember(subject, { left: limit, endsAtMs: nowMs() + windowMs, isUsedUp: true });
    } finally {
      this.#asking.delete(subject);
    }
  }

  #remember(subject: string, window: Window): void {
    if (this.#windows.size >= MOST_SUBJECTS) {
      const nowMs = this.#parts.nowMs();
      for (const [known, { endsAtMs }] of this.#windows) if (endsAtMs <= nowMs) this.#windows.delete(known);
    }
    this.#windows.set(subject, window);
  }
}
