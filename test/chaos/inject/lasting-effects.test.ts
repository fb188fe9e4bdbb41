import { expect, it } from "vitest";
import { LastingEffects } from "./lasting-effects.ts";

const scripted = () => {
  const done: string[] = [];
  const effects = new LastingEffects();
  const hold = (name: string) =>
    effects.hold(name, async () => {
      done.push(`begins ${name}`);
      return async () => void done.push(`ends ${name}`);
    });
  return { done, hold };
};

it("an effect of several faults lasts from the first of them until the last has healed", async () => {
  const { done, hold } = scripted();
  const [first, second, other] = [await hold("hold"), await hold("hold"), await hold("refuse")];
  await first();
  expect(done).toEqual(["begins hold", "begins refuse"]);
  await second();
  expect(done).toEqual(["begins hold", "begins refuse", "ends hold"]);
  await (await hold("hold"))();
  await other();
  expect(done.slice(3)).toEqual(["begins hold", "ends hold", "ends refuse"]);
});

it("an effect that could not be brought about is tried again by the next fault", async () => {
  const effects = new LastingEffects();
  const failing = async () => Promise.reject(new Error("it does not answer"));
  await expect(effects.hold("hold", failing)).rejects.toThrow("it does not answer");
  const { done } = scripted();
  await (await effects.hold("hold", async () => async () => void done.push("ended")))();
  expect(done).toEqual(["ended"]);
});
