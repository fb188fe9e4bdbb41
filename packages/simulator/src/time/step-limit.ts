import type { Scheduler } from "./scheduler.ts";

/** A world makes no progress: it has taken more steps than it needs, or time does not move on. */
export class NoProgress extends Error {
  override readonly name = "NoProgress";
}

export interface StepLimits {
  /** steps of the whole run */
  readonly most: number;
  /** steps at one time */
  readonly mostAtOnce: number;
}

/** Watches over the steps of a schedule. Call `look` before each. */
export class StepLimit {
  readonly #scheduler: Pick<Scheduler, "nowUs" | "steps">;
  readonly #limits: StepLimits;
  #atUs = -1;
  #stepsThen = 0;

  constructor(scheduler: Pick<Scheduler, "nowUs" | "steps">, limits: StepLimits) {
    this.#scheduler = scheduler;
    this.#limits = limits;
  }

  /** @throws NoProgress */
  look(): void {
    const { nowUs, steps } = this.#scheduler;
    if (nowUs !== this.#atUs) {
      this.#atUs = nowUs;
      this.#stepsThen = steps;
    }
    if (steps >= this.#limits.most) throw new NoProgress(`the world has taken ${steps} steps`);
    const atOnce = steps - this.#stepsThen;
    if (atOnce >= this.#limits.mostAtOnce)
      throw new NoProgress(`time does not move on: ${atOnce} steps were taken at ${nowUs} µs`);
  }
}
