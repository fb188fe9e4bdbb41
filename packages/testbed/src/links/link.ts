/** Undoes one fault of a link, and leaves its others. */
type Undo = () => void;

/**
 * The bytes from one process to another, on connections that either of them opened; the opposite direction is a link of
 * its own. A fault affects existing and new connections until it is undone, or `heal` undoes all faults. Simultaneous
 * faults do not add up: of several delays or rates, the worst counts.
 */
export interface Link {
  /** Drops all bytes without closing anything, as a network that drops packets. New connections are never established. */
  cut(): Undo;
  /** Delays all bytes by this many milliseconds, in order. */
  delay(ms: number): Undo;
  /**
   * Resets a connection with this probability whenever bytes arrive on it.
   * @param draw returns a random number from 0 up to 1
   */
  breakSometimes(percent: number, draw: () => number): Undo;
  /** Limits the rate of each connection. */
  slow(bytesPerSecond: number): Undo;
  /** Undoes all faults. Connections that lost bytes in a cut are reset, because the bytes after a loss are of no use. */
  heal(): void;
}

/** One direction of one connection, with the methods that its link calls. */
interface Passage {
  /** Drops the waiting bytes. */
  swallow(): void;
  /** Resets the connection if bytes were lost. */
  mend(): void;
  /** Resets the connection if bytes were lost; otherwise sends the waiting bytes at once. */
  heal(): void;
}

/** A fault of a link. */
interface Bend {
  readonly isCut?: true;
  readonly delayMs?: number;
  readonly bytesPerSecond?: number;
  readonly breaks?: () => boolean;
}

/** The link over all connections between two processes. */
export class OneWayLink implements Link {
  readonly #lanes = new Set<Passage>();
  readonly #bends = new Set<Bend>();

  get isCut(): boolean {
    return [...this.#bends].some(({ isCut }) => isCut === true);
  }

  get delayMs(): number {
    return Math.max(0, ...[...this.#bends].map(({ delayMs = 0 }) => delayMs));
  }

  /** the lowest rate among the faults; undefined without a limit */
  get bytesPerSecond(): number | undefined {
    const least = Math.min(
      ...[...this.#bends].map(({ bytesPerSecond = Number.POSITIVE_INFINITY }) => bytesPerSecond),
    );
    return Number.isFinite(least) ? least : undefined;
  }

  /** Whether a fault resets the connection on which bytes have just arrived. */
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
