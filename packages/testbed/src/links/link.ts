/**
 * What one process sends to another, whichever of the two has opened the connection. What is done to it holds for connections that
 * stand and for new ones, until `heal`; the other direction is a link of its own.
 */
export interface Link {
  /** Swallows what is sent and closes nothing, as a network that drops packets; nobody gets a new connection through. */
  cut(): void;
  /** Bytes arrive so many milliseconds later, in order. */
  delay(ms: number): void;
  /**
   * Breaks a connection with this chance whenever something arrives on it.
   * @param draw gives a number from 0 up to 1
   */
  breakSometimes(percent: number, draw: () => number): void;
  /** No connection carries more than this. */
  slow(bytesPerSecond: number): void;
  /** Undoes everything. Connections that have lost bytes to a cut are reset: nothing that comes after lost bytes is of use. */
  heal(): void;
}

/** One direction of one connection, as its link sees it. */
interface Passage {
  /** What is under way is lost. */
  swallow(): void;
  /** Whatever is under way arrives at once; if something is lost, the connection is reset. */
  heal(): void;
}

/** That direction of all connections between two processes. */
export class OneWayLink implements Link {
  readonly #lanes = new Set<Passage>();
  #isCut = false;
  #delayMs = 0;
  #bytesPerSecond: number | undefined;
  #breaks: () => boolean = () => false;

  get isCut(): boolean {
    return this.#isCut;
  }

  get delayMs(): number {
    return this.#delayMs;
  }

  /** undefined: no limit */
  get bytesPerSecond(): number | undefined {
    return this.#bytesPerSecond;
  }

  /** Whether the connection on which something has arrived breaks now. */
  breaksNow(): boolean {
    return this.#breaks();
  }

  add(lane: Passage): void {
    this.#lanes.add(lane);
  }

  remove(lane: Passage): void {
    this.#lanes.delete(lane);
  }

  cut(): void {
    this.#isCut = true;
    for (const lane of this.#lanes) lane.swallow();
  }

  delay(ms: number): void {
    this.#delayMs = ms;
  }

  breakSometimes(percent: number, draw: () => number): void {
    this.#breaks = () => draw() * 100 < percent;
  }

  slow(bytesPerSecond: number): void {
    if (bytesPerSecond <= 0) throw new RangeError("a link that carries nothing is cut, not slow");
    this.#bytesPerSecond = bytesPerSecond;
  }

  heal(): void {
    this.#isCut = false;
    this.#delayMs = 0;
    this.#bytesPerSecond = undefined;
    this.#breaks = () => false;
    for (const lane of [...this.#lanes]) lane.heal();
  }
}
