/** Ends one thing that was done to a link, and nothing else that was. */
type Undo = () => void;

/**
 * The bytes from one process to another, on connections that either of the two has opened. A fault of it holds
 * for existing connections and for new ones, until it is undone or all is by `heal`; the other direction is a
 * link of its own. Things that are done at the same time do not add up: the link is as bad as the worst of them.
 */
export interface Link {
  /** Swallows what is sent and closes nothing, as a network that drops packets; nobody gets a new connection through. */
  cut(): Undo;
  /** Bytes arrive so many milliseconds later, in order. */
  delay(ms: number): Undo;
  /**
   * Breaks a connection with this chance whenever something arrives on it.
   * @param draw gives a number from 0 up to 1
   */
  breakSometimes(percent: number, draw: () => number): Undo;
  /** No connection carries more than this. */
  slow(bytesPerSecond: number): Undo;
  /** Undoes everything. Connections that have lost bytes to a cut are reset: nothing that comes after lost bytes is of use. */
  heal(): void;
}

/** One direction of one connection, as its link sees it. */
interface Passage {
  /** Bytes under way are lost. */
  swallow(): void;
  /** If something is lost, the connection is reset. */
  mend(): void;
  /** The same; and whatever is under way arrives at once. */
  heal(): void;
}

/** Something that is done to a link. */
interface Bend {
  readonly isCut?: true;
  readonly delayMs?: number;
  readonly bytesPerSecond?: number;
  readonly breaks?: () => boolean;
}

/** That direction of all connections between two processes. */
export class OneWayLink implements Link {
  readonly #lanes = new Set<Passage>();
  readonly #bends = new Set<Bend>();

  get isCut(): boolean {
    return [...this.#bends].some(({ isCut }) => isCut === true);
  }

  get delayMs(): number {
    return Math.max(0, ...[...this.#bends].map(({ delayMs = 0 }) => delayMs));
  }

  /** undefined: no limit */
  get bytesPerSecond(): number | undefined {
    const least = Math.min(
      ...[...this.#bends].map(({ bytesPerSecond = Number.POSITIVE_INFINITY }) => bytesPerSecond),
    );
    return Number.isFinite(least) ? least : undefined;
  }

  /** Whether the connection on which something has arrived breaks now. */
  breaksNow(): boolean {
    return [...this.#bends].some(({ breaks }) => breaks?.() === true);
  }

  add(lane: Passage): void {
    this.#lanes.add(lane);
  }

  remove(lane: Passage): void {
    this.#lanes.delete(lane);
  }

  cut(): Undo {
    const undo = this.#bend({ isCut: true });
    for (const lane of this.#lanes) lane.swallow();
    return undo;
  }

  delay(ms: number): Undo {
    return this.#bend({ delayMs: ms });
  }

  breakSometimes(percent: number, draw: () => number): Undo {
    return this.#bend({ breaks: () => draw() * 100 < percent });
  }

  slow(bytesPerSecond: number): Undo {
    if (bytesPerSecond <= 0) throw new RangeError("a link that carries nothing is cut, not slow");
    return this.#bend({ bytesPerSecond });
  }

  heal(): void {
    this.#bends.clear();
    for (const lane of [...this.#lanes]) lane.heal();
  }

  #bend(bend: Bend): Undo {
    this.#bends.add(bend);
    return () => {
      if (!this.#bends.delete(bend)) return;
      if (this.#bends.size === 0) this.heal();
      else if (!this.isCut) for (const lane of [...this.#lanes]) lane.mend();
    };
  }
}
