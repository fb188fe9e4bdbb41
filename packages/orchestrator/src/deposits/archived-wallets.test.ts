import { walletIdSchema } from "@conclave/custody";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { openWatchedWallet, type WatchedWallet } from "../testing/watched-wallet.ts";
import { watchDeposits } from "./watch-deposits.ts";

let watched: WatchedWallet;
beforeEach(async () => {
  watched = await openWatchedWallet();
});
afterEach(() => watched.world.stop());

const archive = () =>
  watched.world.database.execute("update wallets set status = 'Archived', date_deleted = now()", []);
const paidWallets = () =>
  watched.world.database.rows(
    z.object({ wallet_id: walletIdSchema, tx_hash: z.string() }),
    "select wallet_id, tx_hash from deposits order by tx_hash",
    [],
  );

describe("an arrival at a wallet whose key is archived", () => {
  it("is reported, also where it was in a block before that was final only afterwards, and where it is in a later one", async () => {
    await watchDeposits(watched.watchWith(watched.nodeWith(new Map(), 5n)));
    await archive();
    const blocks = new Map([
      [7n, [watched.native("0x01")]],
      [12n, [watched.native("0x02")]],
    ]);
    await watchDeposits(watched.watchWith(watched.nodeWith(blocks, 10n)));
    await watchDeposits(watched.watchWith(watched.nodeWith(blocks, 20n)));
    expect(watched.counts.unread).toBe(0);
    expect(await watched.stored()).toEqual([{ tx_hash: "0x01" }, { tx_hash: "0x02" }]);
    expect(await watched.detected()).toHaveLength(2);
  });

  it("is reported where no other wallet of the network was ever read for", async () => {
    await archive();
    const blocks = new Map([[7n, [watched.native("0x01")]]]);
    await watchDeposits(watched.watchWith(watched.nodeWith(blocks, 10n)));
    expect(await watched.stored()).toEqual([{ tx_hash: "0x01" }]);
  });

  it("is the new wallet's once its key is imported again, and reported once", async () => {
    await archive();
    await watched.world.database.execute(
      "update wallets set date_created = date_created - interval '1 day'",
      [],
    );
    const again = await watched.world.wallet();
    expect(again.address).toBe(watched.wallet.address);
    const blocks = new Map([
      [7n, [watched.native("0x01")]],
      [12n, [watched.native("0x02")]],
    ]);
    await watchDeposits(watched.watchWith(watched.nodeWith(blocks, 10n)));
    await archive();
    await watchDeposits(watched.watchWith(watched.nodeWith(blocks, 20n)));
    expect(await paidWallets()).toEqual([
      { wallet_id: again.id, tx_hash: "0x01" },
      { wallet_id: again.id, tx_hash: "0x02" },
    ]);
  });
});
