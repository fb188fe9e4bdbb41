import type { LedgerClock } from "./clock.ts";
import { type LedgerKeeper, NO_KEEPER } from "./keeper.ts";

/** Requests that may wait for a change at a time. */
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
  /** milliseconds by which the ledger's time differs from the clock's; 0 unless it is said */
  readonly shiftMs?: number;
  /** keeps what happens; nobody does unless it is said */
  readonly keeper?: LedgerKeeper<State, Event>;
}

/** Holds the state of one running ledger, moves it on, and wakes those who wait for it. */
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

  /** The ledger's time, in milliseconds since 1970: the clock's, with its shift. */
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
   * Waits until something is true of the state, or the time is over, or the caller gives up.
   * @returns false without waiting, if too many wait already
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

  /** Lets everybody go who waits, and keeps nothing any more. */
  stop(): void {
    this.#keeper.close();
    for (const { end } of [...this.#waiting]) end();
  }
}
