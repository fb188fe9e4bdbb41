import type { World } from "@conclave/custody";

/** How much is done at a time, and how much waits for its turn. */
export interface TurnLimits {
  readonly atOnce: number;
  /** of one organisation, or of whatever else takes turns, while no other has any: less than `atOnce`, so that one that is slow leaves room */
  readonly atOnceOfOne: number;
  /** turns that an organisation has beyond its share for what goes first, so long as any are free; none where absent */
  readonly beyondForFirst?: number;
  /** that wait for a turn */
  readonly waiting: number;
  readonly waitingOfOne: number;
  /** the longest wait, in milliseconds */
  readonly waitMs: number;
}

/** The reason why there is no turn: the asking party has too many requests of its own, or the process has too many of all. */
export type NoTurn = "too many of its own" | "too many of all";

export type Turn = { readonly end: () => void } | { readonly refused: NoTurn };

interface Waiter {
  readonly isFirst: boolean;
  readonly begin: () => void;
}

/** Waiters that go first have so much room in line beyond that of the others. */
const ROOM_OF_FIRST = 64;

/**
 * Turns at something of which there is a limited amount. Organisations that wait are served one after the other, however many requests
 * each has in line: the longer line waits longer.
 */
export class FairTurns {
  readonly #world: World;
  readonly #limits: TurnLimits;
  readonly #begun = new Map<string, number>();
  /** turns beyond the share of their organisation */
  readonly #beyond = new Map<string, number>();
  /** in the order in which they are served next */
  readonly #lines = new Map<string, Waiter[]>();
  #allBegun = 0;
  #allWaiting = 0;

  constructor(world: World, limits: TurnLimits) {
    this.#world = world;
    this.#limits = limits;
  }

  /**
   * Resolves when the turn has come, or at once when it will not. The caller ends a turn that it gets, once.
   * @param isFirst has it go before others of the organisation's line, which may be full, and beyond the organisation's share
   */
  async take(organisation: string, isFirst = false): Promise<Turn> {
    const { waiting, waitingOfOne } = this.#limits;
    if (this.#mayBegin(organisation)) return this.#begin(organisation);
    if (isFirst && this.#mayBeginBeyond(organisation)) return this.#beginBeyond(organisation);
    const line = this.#lines.get(organisation) ?? [];
    if (line.length >= waitingOfOne + (isFirst && waitingOfOne > 0 ? ROOM_OF_FIRST : 0)) {
      return { refused: this.#reason(organisation) };
    }
    if (this.#allWaiting >= waiting) return { refused: "too many of all" };
    return this.#wait(organisation, line, isFirst);
  }

  /**
   * An organisation's share grows with what is free: alone it has `atOnceOfOne`, and beside others so much of what they leave. So a few whose
   * turns never end leave one for the next.
   */
  #mayBegin(organisation: string): boolean {
    const { atOnce, atOnceOfOne } = this.#limits;
    const begun = this.#begun.get(organisation) ?? 0;
    return begun * (atOnce - atOnceOfOne) < (atOnce - this.#allBegun) * atOnceOfOne;
  }

  #mayBeginBeyond(organisation: string): boolean {
    const { atOnce, beyondForFirst = 0 } = this.#limits;
    return this.#allBegun < atOnce && (this.#beyond.get(organisation) ?? 0) < beyondForFirst;
  }

  #reason(organisation: string): NoTurn {
    const begun = this.#begun.get(organisation) ?? 0;
    return begun < this.#limits.atOnceOfOne ? "too many of all" : "too many of its own";
  }

  #begin(organisation: string): Turn {
    return this.#beginIn(this.#begun, organisation);
  }

  #beginBeyond(organisation: string): Turn {
    return this.#beginIn(this.#beyond, organisation);
  }

  #beginIn(turns: Map<string, number>, organisation: string): Turn {
    this.#allBegun += 1;
    turns.set(organisation, (turns.get(organisation) ?? 0) + 1);
    return { end: () => this.#endIn(turns, organisation) };
  }

  #endIn(turns: Map<string, number>, organisation: string): void {
    this.#allBegun -= 1;
    const left = (turns.get(organisation) ?? 1) - 1;
    if (left > 0) turns.set(organisation, left);
    else turns.delete(organisation);
    this.#serve();
  }

  #wait(organisation: string, line: Waiter[], isFirst: boolean): Promise<Turn> {
    this.#lines.set(organisation, line);
    this.#allWaiting += 1;
    return new Promise((resolve) => {
      const late = this.#world.after(this.#limits.waitMs, () => {
        this.#leave(organisation, waiter);
        resolve({ refused: this.#reason(organisation) });
      });
      const waiter: Waiter = {
        isFirst,
        begin: () => {
          late.stop();
          resolve(this.#mayBegin(organisation) ? this.#begin(organisation) : this.#beginBeyond(organisation));
        },
      };
      const behind = isFirst ? line.findIndex((other) => !other.isFirst) : -1;
      line.splice(behind < 0 ? line.length : behind, 0, waiter);
    });
  }

  #leave(organisation: string, waiter: Waiter): void {
    const line = this.#lines.get(organisation) ?? [];
    const at = line.indexOf(waiter);
    if (at < 0) return;
    line.splice(at, 1);
    this.#allWaiting -= 1;
    if (line.length === 0) this.#lines.delete(organisation);
  }

  #serve(): void {
    while (this.#allBegun < this.#limits.atOnce) {
      const next = [...this.#lines].find(
        ([organisation, [head]]) =>
          this.#mayBegin(organisation) || (head?.isFirst === true && this.#mayBeginBeyond(organisation)),
      );
      if (next === undefined) return;
      const [organisation, line] = next;
      const [waiter] = line;
      if (waiter === undefined) return;
      this.#leave(organisation, waiter);
      // it goes to the end: the others are served before its next one
      this.#lines.delete(organisation);
      if (line.length > 0) this.#lines.set(organisation, line);
      waiter.begin();
    }
  }
}
