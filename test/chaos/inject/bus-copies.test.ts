import { expect, it } from "vitest";
import { BusCopies } from "./bus-copies.ts";

it("takes the bus back to the newest copy of so long ago, or to the first", async () => {
  const done: string[] = [];
  let nowMs = 10_000;
  using copies = new BusCopies(
    {
      copyBus: (folder) => void done.push(`copy ${folder}`),
      restoreBus: async (folder) => void done.push(`restore ${folder}`),
    },
    "/nowhere/copies",
    () => nowMs,
  );
  for (nowMs of [11_000, 12_000, 13_000]) copies.copy();
  expect(done).toEqual([0, 1, 2, 3].map((number) => `copy /nowhere/copies/${number}`));
  nowMs = 13_500;
  await copies.goBack(1_200);
  await copies.goBack(60_000);
  expect(done.slice(4)).toEqual(["restore /nowhere/copies/2", "restore /nowhere/copies/0"]);
});
