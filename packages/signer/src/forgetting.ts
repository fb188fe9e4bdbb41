import type { World } from "@conclave/custody";

/** Records that one write removes: a signature waits for one such write at most. */
export const FORGOTTEN_PER_WRITE = 500;

/** Removes records whose time is up, slice by slice, beside all else that the signer does. */
export class Forgetting {
  readonly #world: Pick<World, "sleep">;
  readonly #forget: (untilMs: number, limit: number) => Promise<number>;
  readonly #failed: (error: unknown) => void;
  #untilMs = 0;
  #isClosed = false;
  #running: Promise<void> | undefined;

  /**
   * @param forget removes records whose time is up by then, so many at most, and says how many
   * @param failed a slice could not be removed: nothing more is
   */
  constructor(
    world: Pick<World, "sleep">,
    forget: (untilMs: number, limit: number) => Promise<number>,
    failed: (error: unknown) => void,
  ) {
    this.#world = world;
    this.#forget = forget;
    this.#failed = failed;
  }

  /** @param untilMs Unix milliseconds; while it is at work, the latest time counts */
  begin(untilMs: number): void {
    this.#untilMs = untilMs;
    this.#running ??= this.#run();
  }

  /** Resolves when it is at rest, and stays so. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#running;
  }

  async #run(): Promise<void> {
    try {
      while (!this.#isClosed && (await this.#forget(this.#untilMs, FORGOTTEN_PER_WRITE)) > 0) {
        await this.#world.sleep(0);
      }
    } catch (error) {
      this.#isClosed = true;
      this.#failed(error);
    }
    this.#running = undefined;
  }
}
