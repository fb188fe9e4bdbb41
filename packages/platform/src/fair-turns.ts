import type { World } from "@conclave/custody";

/** How many turns run at a time, and how many callers may wait for one. */
export interface TurnLimits {
  readonly atOnce: number;
  /**
   * most turns that one organisation (or other party) runs while no other runs any; below `atOnce`, so that a slow one
   * leaves room
   */
  readonly atOnceOfOne: number;
  /** turns beyond its share that an organisation may use for work that goes first, while any are free; none if absent */
  readonly beyondForFirst?: number;
  /** most callers that wait for a turn */
  readonly waiting: number;
  readonly waitingOfOne: number;
  /** the longest wait, in milliseconds */
  readonly waitMs: number;
}

/** Why a turn is refused: the organisation has too many requests of its own, or all organisations together have too many. */
export type NoTurn = "too many of its own" | "too many of all";

export type Turn = { readonly end: () => void } | { readonly refused: NoTurn };

interface Waiter {
  readonly isFirst: boolean;
  readonly begin: () => void;
}

/** Waiters that go first may exceed an organisation's limit of waiters by this many. */
const ROOM_OF_FIRST = 64;

/**
 * Limits concurrent work fairly. Waiting organisations are served in rotation, whatever number of requests each has in
 * line, so a longer line waits longer.
 */
export class FairTurns {
  readonly #world: World;
  readonly #limits: TurnLimits;
  readonly #begun = new Map<string, number>();
  /** turns that organisations run beyond their share */
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
   * Resolves when the turn has come, or at once when it is refused. The caller must end a turn that it got, once.
   *
   * @param isFirst the request goes before the others of its organisation, even into a full line, and may use a turn
   * beyond the share
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
   * An organisation's share grows with the free turns: `atOnceOfOne` if it is alone, and the same fraction of the turns
   * that others leave. So a few organisations whose turns never end still leave a turn for the next one.
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
      // the organisation goes to the end: the others are served before its next request
      this.#lines.delete(organisation);
      if (line.length > 0) this.#lines.set(organisation, line);
      waiter.begin();
    }
  }
}
