import { chanceOf } from "./chance-of.ts";

/** How far the clocks of machines are ahead, milliseconds. A process that starts again meets the clock that its machine has. */
export class MachineClocks {
  readonly #aheadMs = new Map<string, number>();
  readonly #seed: string;
  readonly #apartMs: number;

  /** @param apartMs the most that a clock is ahead or behind until it is moved; the seed draws how much */
  constructor(seed: string, apartMs: number) {
    this.#seed = seed;
    this.#apartMs = apartMs;
  }

  /** @param machine the name of its process */
  aheadMs(machine: string): number {
    return this.#aheadMs.get(machine) ?? this.#drawn(machine);
  }

  /** Sets a clock forward, or back where below 0. */
  move(machine: string, ms: number): void {
    this.#aheadMs.set(machine, this.aheadMs(machine) + ms);
  }

  #drawn(machine: string): number {
    return chanceOf(this.#seed, `clock of ${machine}`).between(-this.#apartMs, this.#apartMs);
  }
}
