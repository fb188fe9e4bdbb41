import type { Arrival } from "@conclave/chains";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { openWatchedWallet, type WatchedWallet } from "../testing/watched-wallet.ts";
import { watchDeposits } from "./watch-deposits.ts";

let watched: WatchedWallet;
beforeEach(async () => {
  watched = await openWatchedWallet();
});
afterEach(() => watched.world.stop());

const shownSchema = z.object({ blockchainEvent: z.looseObject({ index: z.string() }) });
/** The indices of the movements that events report, sorted. */
const announced = async (): Promise<readonly string[]> =>
  (await watched.detected()).map(({ data }) => shownSchema.parse(data).blockchainEvent.index).toSorted();

const claimed = (contract: string, from: number, count: number): readonly Arrival[] =>
  Array.from({ length: count }, (_, at) => ({
    ...watched.native("0x01"),
    place: `${contract} ${from + at}`,
    moved: { kind: "Erc20", contract, to: watched.wallet.address, amount: "1" },
  }));

const places = (contract: string, count: number): readonly string[] =>
  Array.from({ length: count }, (_, at) => `${contract} ${at}`);

describe("K8 of what a contract claims to have moved to a wallet in one block", () => {
  it("events tell of the first fifty; all of it is stored, and the rest is counted", async () => {
    const blocks = new Map([[7n, claimed("0xc0", 0, 260)]]);
    await watchDeposits(watched.watchWith(watched.nodeWith(blocks, 10n)));
    expect(await watched.stored()).toHaveLength(260);
    expect(await announced()).toEqual(places("0xc0", 50).toSorted());
    expect([watched.counts.unannounced, watched.counts.unread]).toEqual([210, 0]);
  });

  it("nothing keeps events from other contracts, from the coin, nor from the next block", async () => {
    const coins = Array.from({ length: 60 }, (_, at): Arrival => watched.native(`0x${at}c`));
    const blocks = new Map([
      [7n, [...claimed("0xc0", 0, 51), ...claimed("0xc1", 0, 1), ...coins]],
      [8n, claimed("0xc0", 60, 1)],
    ]);
    await watchDeposits(watched.watchWith(watched.nodeWith(blocks, 10n)));
    const expected = [...places("0xc0", 50), "0xc1 0", "0xc0 60", ...coins.map(() => "value")];
    expect(await announced()).toEqual(expected.toSorted());
    expect(watched.counts.unannounced).toBe(1);
  });

  it("INV-6 the same movements are reported where the block is read again", async () => {
    const blocks = new Map([[7n, claimed("0xc0", 0, 60)]]);
    await watchDeposits(watched.watchWith(watched.nodeWith(blocks, 7n)));
    const before = (await watched.detected()).map(({ id }) => id).toSorted();
    await watched.world.database.execute("delete from deposits", []);
    await watched.world.database.execute("delete from events", []);
    await watched.world.database.execute("delete from outbox", []);
    await watched.world.database.execute("update read_blocks set height = 5, hash = null", []);
    await watchDeposits(watched.watchWith(watched.nodeWith(blocks, 7n)));
    expect((await watched.detected()).map(({ id }) => id).toSorted()).toEqual(before);
    expect(before).toHaveLength(50);
  });
});
