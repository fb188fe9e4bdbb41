interface PastState<State> {
  readonly sinceMs: number;
  readonly state: State;
}

/** The states of the last while, so that a node which is behind shows them. States are values: an earlier one is never changed. */
export class PastStates<State> {
  readonly #keptMs: number;
  /** oldest first; the first may be older than the while, as it lasted into it */
  readonly #states: PastState<State>[];

  /** @param keptMs the while, milliseconds */
  constructor(keptMs: number, nowMs: number, state: State) {
    this.#keptMs = keptMs;
    this.#states = [{ sinceMs: nowMs, state }];
  }

  /** Notes the state from now on. */
  keep(nowMs: number, state: State): void {
    this.#states.push({ sinceMs: nowMs, state });
    const oldestMs = nowMs - this.#keptMs;
    while ((this.#states[1]?.sinceMs ?? Number.POSITIVE_INFINITY) <= oldestMs) this.#states.shift();
  }

  /** The state at a time; the oldest one that is kept for an earlier time. */
  at(ms: number): State {
    const { state } = this.#states.findLast(({ sinceMs }) => sinceMs <= ms) ?? this.#first;
    return state;
  }

  get #first(): PastState<State> {
    const [first] = this.#states;
    if (first === undefined) throw new Error("the latest state is always kept");
    return first;
  }
}
