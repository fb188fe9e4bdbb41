import type { Heal } from "@conclave/chaos";

/** An effect that lasts, and how many faults have it now. */
interface Effect {
  holders: number;
  readonly begun: Promise<Heal>;
}

/** Effects that several faults may have at the same time: one begins with the first of them, and ends with the last. */
export class LastingEffects {
  readonly #effects = new Map<string, Effect>();

  /**
   * @param name the same for all faults that have this effect
   * @param begin brings it about, unless it lasts already
   * @returns its end for this fault alone
   */
  async hold(name: string, begin: () => Promise<Heal>): Promise<Heal> {
    const effect = this.#effects.get(name) ?? { holders: 0, begun: begin() };
    this.#effects.set(name, effect);
    effect.holders += 1;
    try {
      const heal = await effect.begun;
      return () => this.#release(name, effect, heal);
    } catch (cause) {
      if (this.#effects.get(name) === effect) this.#effects.delete(name);
      throw cause;
    }
  }

  async #release(name: string, effect: Effect, heal: Heal): Promise<void> {
    effect.holders -= 1;
    if (effect.holders > 0) return;
    this.#effects.delete(name);
    await heal();
  }
}
