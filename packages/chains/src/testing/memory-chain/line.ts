import { fail, ok, type Result, type World } from "@conclave/custody";

/** A client's timeout for an answer. */
const PATIENCE_MS = 5_000;

/** The connection between a client and its node. */
export class MemoryLine {
  readonly #world: World;
  #state: "answers" | "away" | "hangs" = "answers";

  constructor(world: World) {
    this.#world = world;
  }

  /** The node is unreachable: calls fail at once. */
  leave(): void {
    this.#state = "away";
  }

  /** Calls get no answer: callers wait until their timeout. */
  hang(): void {
    this.#state = "hangs";
  }

  /** Later calls are answered again. */
  mend(): void {
    this.#state = "answers";
  }

  /** Makes a call in one step. @returns ServiceUnavailable when there is no answer */
  async ask<T>(network: string, answer: () => T): Promise<Result<T>> {
    if (this.#state === "answers") return ok(answer());
    const isSilent = this.#state === "hangs";
    if (isSilent) await this.#world.sleep(PATIENCE_MS);
    const cause = isSilent ? `it is silent for ${PATIENCE_MS} ms` : "it cannot be reached";
    return fail("ServiceUnavailable", { network }, `The chain node of ${network} does not answer: ${cause}.`);
  }
}
