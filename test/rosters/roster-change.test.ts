import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { stateFolder } from "../integration/throw-away-cluster.ts";
import { OperatedCluster } from "./operated-cluster.ts";

let operated: OperatedCluster;
beforeAll(async () => {
  operated = await OperatedCluster.start({ state: stateFolder(), presignatures: 1 });
});
afterAll(() => operated?.stop());

describe("the roster of a running cluster", () => {
  it.each<[string, readonly string[], readonly number[]]>([
    ["from 3 of 5 to 3 of 6", ["--add", "1"], [1, 2, 3, 4, 5, 6]],
    ["on to 4 of 7", ["--add", "1", "--threshold", "4"], [1, 2, 3, 4, 5, 6, 7]],
    [
      "and back to 2 of 3",
      [...[1, 3, 5, 6].flatMap((index) => ["--remove", `signer-${index}`]), "--threshold", "2"],
      [2, 4, 7],
    ],
  ])("INV-5 goes %s while transfers are paid", async (_, words, indices) => {
    const during = operated.paying();
    await operated.change(...words);
    expect(await during.end()).toBeGreaterThan(0);
    await operated.expectHolders(...indices);
    await operated.pay();
    expect((await operated.makeWallet(words.join(" "))).address).toMatch(/^0x/);
  });

  it("puts a signer out that keeps the others from every new key and every refresh", async () => {
    operated.cluster.pause("signer-4");
    expect((await operated.conclave("refresh")).out).toMatch(/signer-4 to answer/);
    await operated.pay();
    await operated.change("--lost", "signer-4", "--add", "1");
    await operated.expectHolders(2, 7, 8);
    expect((await operated.conclave("refresh")).out).toMatch(/done: \d+ keys refreshed\n$/);
    await operated.pay();
    expect((await operated.makeWallet("without it")).address).toMatch(/^0x/);
    expect((await operated.conclave("roster", "show")).out).toMatch(/signer-4/);
  });
});
