/** A state that faults bring about, such as a bus that is down: it lasts until the last of them ends. */
export class LastingState {
  readonly #set: (isOn: boolean) => void;
  #faults = 0;

  /** @param set brings the state about, or ends it */
  constructor(set: (isOn: boolean) => void) {
    this.#set = set;
  }

  /** @returns ends this fault */
  begin(): () => void {
    this.#change(1);
    return () => this.#change(-1);
  }

  #change(more: number): void {
    const wasOn = this.#faults > 0;
    this.#faults += more;
    if (wasOn !== this.#faults > 0) this.#set(this.#faults > 0);
  }
}
