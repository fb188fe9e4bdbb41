import type { LedgerClock } from "./clock.ts";

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
}

/** Holds the state of one running ledger, moves it on, and wakes those who wait for it. */
export class LedgerHost<State, Event, Effect> {
  readonly #advance: HostOptions<State, Event, Effect>["advance"];
  readonly #clock: LedgerClock;
  readonly #waiting = new Set<Waiting<State>>();
  #state: State;
  #shiftMs = 0;

  constructor({ state, advance, clock }: HostOptions<State, Event, Effect>) {
    this.#state = state;
    this.#advance = advance;
    this.#clock = clock;
  }

  get state(): State {
    return this.#state;
  }

  /** What the ledger takes for the time, in milliseconds since 1970: the clock's, and what it was shifted by. */
  get now(): number {
    return this.#clock.now() + this.#shiftMs;
  }

  shiftClock(ms: number): void {
    this.#shiftMs += ms;
  }

  apply(event: Event): readonly Effect[] {
    const { state, effects } = this.#advance(this.#state, event);
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

  /** Lets everybody go who waits. */
  stop(): void {
    for (const { end } of [...this.#waiting]) end();
  }
}
