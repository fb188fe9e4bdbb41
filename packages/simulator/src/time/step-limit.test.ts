import { expect, it } from "vitest";
import { Scheduler } from "./scheduler.ts";
import { StepLimit } from "./step-limit.ts";

/** Takes steps until the limit throws. @param everyUs between two steps */
const stepsUntilThrown = (everyUs: number): string => {
  const scheduler = new Scheduler("limit");
  const limit = new StepLimit(scheduler, { most: 50, mostAtOnce: 10 });
  const again = (): void => void scheduler.plan("process", everyUs, again);
  again();
  try {
    for (;;) {
      limit.look();
      scheduler.step(1_000_000);
    }
  } catch (error) {
    return String(error);
  }
};

it("INV-5 a run ends once it has taken too many steps, at one time or in all", () => {
  expect(stepsUntilThrown(0)).toBe("NoProgress: time does not move on: 10 steps were taken at 0 µs");
  expect(stepsUntilThrown(3)).toBe("NoProgress: the world has taken 50 steps");
});
