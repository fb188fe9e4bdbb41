import { expect, it } from "vitest";
import { oursAmong } from "./ours-among.ts";

it("K8 addresses are looked up in parts, each once, and without any address nothing is asked", async () => {
  const asked: number[] = [];
  const areOurs = async (addresses: readonly string[]): Promise<ReadonlySet<string>> => {
    asked.push(addresses.length);
    return new Set(addresses.filter((address) => address === "3" || address === "24999"));
  };
  const seen = Array.from({ length: 50_000 }, (_, at) => at % 25_000);
  expect(await oursAmong(areOurs, seen, String)).toEqual(new Set(["3", "24999"]));
  expect(asked).toEqual([10_000, 10_000, 5_000]);
  expect(await oursAmong(areOurs, [], String)).toEqual(new Set());
  expect(asked).toHaveLength(3);
});
