import type { World } from "@conclave/custody";

/** Between two looks at some hundreds of entries all else has its turn. */
const PAUSE_MS = 0;

/** Compares all that is in the store with what was written, beside all else that the signer does, once in its life. */
export class Checking {
  #isClosed = false;
  readonly #running: Promise<void>;

  /**
   * @param check goes on with each step, and throws where the store was altered
   * @param failed the store is not as this signer left it: nothing more is signed
   * @param whole all of it is as it was written, so many entries
   */
  constructor(
    world: Pick<World, "sleep">,
    check: () => AsyncGenerator<number>,
    failed: (error: unknown) => void,
    whole: (entries: number) => void,
  ) {
    this.#running = this.#run(world, check).then((entries) => {
      if (!this.#isClosed) whole(entries);
    }, failed);
  }

  /** Resolves when it is at rest, and stays so. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#running;
  }

  async #run(world: Pick<World, "sleep">, check: () => AsyncGenerator<number>): Promise<number> {
    let entries = 0;
    for await (const looked of check()) {
      entries = looked;
      if (this.#isClosed) break;
      await world.sleep(PAUSE_MS);
    }
    return entries;
  }
}
