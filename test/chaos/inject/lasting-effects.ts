import type { Heal } from "@conclave/chaos";

/** A lasting effect, with the number of faults that hold it. */
interface Effect {
  holders: number;
  readonly begun: Promise<Heal>;
}

/** Lasting effects that several faults may share: each begins with the first fault, and ends with the last. */
export class LastingEffects {
  readonly #effects = new Map<string, Effect>();

  /**
   * @param name the same for all faults with this effect
   * @param begin starts the effect, unless it lasts already
   * @returns ends the effect for this fault
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
