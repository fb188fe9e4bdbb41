import {
  FIRST_WINDOW,
  isWithinWindow,
  narrowed,
  type PresigningWindow,
  type SigningCoordinator,
  widened,
} from "@conclave/cluster";

/** The place of one signature among those that presign for themselves. */
export interface PresigningPlace {
  /** takes the state after each step of its coordinator, and the current time on the same clock, milliseconds */
  readonly note: (state: SigningCoordinator, nowMs: number) => void;
  /** whether its attempt passed its deadline while more are under way than signers can serve */
  readonly isCrowded: () => boolean;
  readonly leave: () => void;
}

/** The places for signatures that presign for themselves; their number adapts to the signers' capacity. */
export class PresigningPlaces {
  #window: PresigningWindow = FIRST_WINDOW;
  #taken = 0;

  /** Whether another signature may presign for itself now. */
  hasRoom(): boolean {
    return isWithinWindow(this.#window, this.#taken);
  }

  /**
   * Enters one signature: it takes a place while it presigns for itself, and its outcome makes the window wider or
   * narrower.
   */
  enter(): PresigningPlace {
    let isTaken = false;
    let isCrowded = false;
    let last: SigningCoordinator["attempt"];
    const occupy = (isNeeded: boolean): void => {
      this.#taken += Number(isNeeded) - Number(isTaken);
      isTaken = isNeeded;
    };
    return {
      note: ({ attempt, isClosed }, nowMs) => {
        const hasEnded = last !== undefined && attempt?.key !== last.key;
        if (hasEnded && last?.path.kind === "interactive") {
          const isLate = nowMs >= last.expiresAtMs;
          if (isLate) this.#window = narrowed(this.#window);
          else if (isClosed) this.#window = widened(this.#window);
          isCrowded = isLate && !isWithinWindow(this.#window, this.#taken - 1);
        }
        last = attempt;
        // keeps its place between two attempts
        if (attempt !== undefined) occupy(attempt.path.kind === "interactive");
      },
      isCrowded: () => isCrowded,
      leave: () => occupy(false),
    };
  }
}
