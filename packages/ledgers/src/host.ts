import type { LedgerClock } from "./clock.ts";
import { type LedgerKeeper, NO_KEEPER } from "./keeper.ts";

/** Maximum number of requests that wait for a change of state at the same time. */
const MOST_WAITING = 1_000;

interface Waiting<State> {
  readonly isTrue: (state: State) => boolean;
  readonly end: () => void;
}

export interface HostOptions<State, Event, Effect> {
  readonly state: State;
  readonly advance: (
    state: State,
    event: Event,
  ) => { readonly state: State; readonly effects: readonly Effect[] };
  readonly clock: LedgerClock;
  /** milliseconds added to the clock to give the ledger's time; 0 by default */
  readonly shiftMs?: number;
  /** records events; by default nothing is recorded */
  readonly keeper?: LedgerKeeper<State, Event>;
}

/** Holds the state of one running ledger, applies events to it, and wakes requests that wait for a change. */
export class LedgerHost<State, Event, Effect> {
  readonly #advance: HostOptions<State, Event, Effect>["advance"];
  readonly #clock: LedgerClock;
  readonly #waiting = new Set<Waiting<State>>();
  readonly #keeper: LedgerKeeper<State, Event>;
  #state: State;
  #shiftMs: number;

  constructor(options: HostOptions<State, Event, Effect>) {
    const { state, advance, clock, shiftMs = 0, keeper = NO_KEEPER } = options;
    this.#state = state;
    this.#advance = advance;
    this.#clock = clock;
    this.#shiftMs = shiftMs;
    this.#keeper = keeper;
  }

  get state(): State {
    return this.#state;
  }

  /** The ledger's time in milliseconds since 1970: the clock's time plus the shift. */
  get now(): number {
    return this.#clock.now() + this.#shiftMs;
  }

  shiftClock(ms: number): void {
    const shiftMs = this.#shiftMs + ms;
    this.#keeper.keep({ kind: "shift", ms }, { state: this.#state, shiftMs });
    this.#shiftMs = shiftMs;
  }

  apply(event: Event): readonly Effect[] {
    const { state, effects } = this.#advance(this.#state, event);
    if (state !== this.#state) {
      this.#keeper.keep({ kind: "event", event }, { state, shiftMs: this.#shiftMs });
    }
    this.#state = state;
    for (const waiting of [...this.#waiting]) if (waiting.isTrue(state)) waiting.end();
    return effects;
  }

  /**
   * Waits until a condition holds of the state, the time is over, or the caller aborts.
   * @returns false without waiting, if too many requests wait already
   */
  async until(isTrue: (state: State) => boolean, ms: number, signal: AbortSignal): Promise<boolean> {
    if (isTrue(this.#state) || signal.aborted) return true;
    if (this.#waiting.size >= MOST_WAITING) return false;
    await new Promise<void>((resolve) => {
      const end = (): void => {
        this.#waiting.delete(waiting);
        signal.removeEventListener("abort", end);
        cancel();
        resolve();
      };
      const waiting = { isTrue, end };
      const cancel = this.#clock.after(ms, end);
      signal.addEventListener("abort", end);
      this.#waiting.add(waiting);
    });
    return true;
  }

  /** Ends all waits, and stops recording events. */
  stop(): void {
    this.#keeper.close();
    for (const { end } of [...this.#waiting]) end();
  }
}
