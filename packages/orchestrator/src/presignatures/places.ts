import {
  FIRST_WINDOW,
  isWithinWindow,
  narrowed,
  type PresigningWindow,
  type SigningCoordinator,
  widened,
} from "@conclave/cluster";

/** A signature's place among those that presign for themselves. */
export interface PresigningPlace {
  /** takes the state after each step of its coordinator, and the time that this counts by, milliseconds */
  readonly note: (state: SigningCoordinator, nowMs: number) => void;
  /** its attempt passed its deadline, and more are under way than signers keep up with */
  readonly isCrowded: () => boolean;
  readonly leave: () => void;
}

/** The places for signatures that presign for themselves: as many as signers keep up with. */
export class PresigningPlaces {
  #window: PresigningWindow = FIRST_WINDOW;
  #taken = 0;

  /** Whether one more may presign for itself now. */
  hasRoom(): boolean {
    return isWithinWindow(this.#window, this.#taken);
  }

  /** For one signature: it takes a place while it presigns for itself, and how that ends makes the window wider or narrower. */
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
        // between two attempts it keeps its place
        if (attempt !== undefined) occupy(attempt.path.kind === "interactive");
      },
      isCrowded: () => isCrowded,
      leave: () => occupy(false),
    };
  }
}
