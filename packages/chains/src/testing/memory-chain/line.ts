import { fail, ok, type Result, type World } from "@conclave/custody";

/** A client waits no longer for an answer. */
const PATIENCE_MS = 5_000;

/** The line between a client and its node. */
export class MemoryLine {
  readonly #world: World;
  #state: "answers" | "away" | "hangs" = "answers";

  constructor(world: World) {
    this.#world = world;
  }

  /** Nobody is there: calls fail at once. */
  leave(): void {
    this.#state = "away";
  }

  /** Calls reach nobody, and their callers wait as long as they can. */
  hang(): void {
    this.#state = "hangs";
  }

  /** All is well again, for the calls that come. */
  mend(): void {
    this.#state = "answers";
  }

  /** Asks something in one step. @returns ServiceUnavailable when there is no answer */
  async ask<T>(network: string, answer: () => T): Promise<Result<T>> {
    if (this.#state === "answers") return ok(answer());
    const isSilent = this.#state === "hangs";
    if (isSilent) await this.#world.sleep(PATIENCE_MS);
    const cause = isSilent ? `it is silent for ${PATIENCE_MS} ms` : "it cannot be reached";
    return fail("ServiceUnavailable", { network }, `The chain node of ${network} does not answer: ${cause}.`);
  }
}
