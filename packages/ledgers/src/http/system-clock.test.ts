import { expect, it } from "vitest";
import { SYSTEM_CLOCK } from "./system-clock.ts";

it("the machine's clock tells the time, repeats, and forgets what was cancelled", async () => {
  expect(Math.abs(SYSTEM_CLOCK.now() - Date.now())).toBeLessThan(1_000);
  let [ticks, late] = [0, 0];
  const end = SYSTEM_CLOCK.every(1, () => {
    ticks += 1;
  });
  const cancel = SYSTEM_CLOCK.after(1, () => {
    late += 1;
  });
  cancel();
  await expect.poll(() => ticks).toBeGreaterThan(2);
  end();
  const before = ticks;
  let isLater = false;
  SYSTEM_CLOCK.after(5, () => {
    isLater = true;
  });
  await expect.poll(() => isLater).toBe(true);
  expect([ticks, late]).toEqual([before, 0]);
});
