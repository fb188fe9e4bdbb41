import { type Arrival, FAMILIES } from "@conclave/chains";
import { depositDetected, networkSchema } from "@conclave/custody";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { openWatchedWallet, type WatchedWallet } from "../testing/watched-wallet.ts";
import { watchDeposits } from "./watch-deposits.ts";

let watched: WatchedWallet;
beforeEach(async () => {
  watched = await openWatchedWallet();
});
afterEach(() => watched.world.stop());

const idsSchema = z.object({ id: z.string() });
const depositIds = () => watched.world.database.rows(idsSchema, "select id from deposits order by id", []);

/** Restores the database to before a block was read: it loses the block's deposits, and their events unless they are kept. */
const fallBack = async (events: "lost" | "kept"): Promise<void> => {
  await watched.world.database.execute("delete from deposits", []);
  if (events === "lost") {
    await watched.world.database.execute(
      "delete from events where kind = 'wallet.blockchainevent.detected'",
      [],
    );
    await watched.world.database.execute("delete from outbox", []);
  }
  await watched.world.database.execute("update read_blocks set height = 5, hash = null", []);
};

const waitingSchema = z.object({ message_id: z.string() });
const messages = () =>
  watched.world.database.rows(
    waitingSchema,
    "select message_id from outbox where subject = 'wallet.blockchainevent.detected'",
    [],
  );

describe("INV-6 an arrival from outside has the same ids whenever it is read:", () => {
  it("a deposit and its event, once the database has failed over to a standby that lagged", async () => {
    const node = watched.nodeWith(new Map([[7n, [watched.native("0x01")]]]), 10n);
    await watchDeposits(watched.watchWith(node));
    const before = { deposits: await depositIds(), events: await watched.detected() };
    await fallBack("lost");
    await watchDeposits(watched.watchWith(node));
    expect({ deposits: await depositIds(), events: await watched.detected() }).toEqual(before);
    expect(before.deposits).toHaveLength(1);
    expect(await messages()).toEqual(before.events.map(({ id }) => ({ message_id: id })));
  });

  it("an event that is on record is not reported again, and holds nothing up", async () => {
    const blocks = new Map([
      [7n, [watched.native("0x01")]],
      [8n, [watched.native("0x02")]],
    ]);
    await watchDeposits(watched.watchWith(watched.nodeWith(blocks, 7n)));
    await fallBack("kept");
    await watchDeposits(watched.watchWith(watched.nodeWith(blocks, 10n)));
    expect(await watched.stored()).toEqual([{ tx_hash: "0x01" }, { tx_hash: "0x02" }]);
    expect([await watched.detected(), await messages()].map(({ length }) => length)).toEqual([2, 2]);
  });

  it("a movement that the node tells twice in a block is one", async () => {
    const twice = [watched.native("0x01"), watched.native("0x01")];
    await watchDeposits(watched.watchWith(watched.nodeWith(new Map([[7n, twice]]), 10n)));
    expect([await depositIds(), await watched.detected()].map(({ length }) => length)).toEqual([1, 1]);
  });

  it("a deposit that an older version stored under another id is not stored again", async () => {
    const node = watched.nodeWith(new Map([[7n, [watched.native("0x01")]]]), 10n);
    await watchDeposits(watched.watchWith(node));
    await watched.world.database.execute("update deposits set id = 'dep-00000-00000-0000000000000000'", []);
    await watched.world.database.execute("delete from events", []);
    await watched.world.database.execute("update read_blocks set height = 5, hash = null", []);
    await watchDeposits(watched.watchWith(node));
    expect(await depositIds()).toEqual([{ id: "dep-00000-00000-0000000000000000" }]);
    expect(await watched.detected()).toEqual([]);
  });
});

const shownSchema = z.object({ blockchainEvent: z.record(z.string(), z.unknown()) });

describe("movements of one transaction that are equal", () => {
  it("are told apart by their index, and by it alone", async () => {
    const token: Arrival = {
      ...watched.native("0x01"),
      moved: { kind: "Erc20", contract: "0xc0", to: watched.wallet.address, amount: "5" },
    };
    const twice = [
      { ...token, place: "log 0" },
      { ...token, place: "log 1" },
    ];
    await watchDeposits(watched.watchWith(watched.nodeWith(new Map([[7n, twice]]), 10n)));
    const shown = (await watched.detected()).map(({ data }) => shownSchema.parse(data).blockchainEvent);
    expect(shown.map(({ index }) => index).toSorted()).toEqual(["log 0", "log 1"]);
    const [one, other] = shown.map(({ index, ...rest }) => rest);
    expect(one).toEqual(other);
  });
});

describe("a payment of the XRP Ledger", () => {
  it("is reported with its destination tag as memo", () => {
    const announced = depositDetected(
      FAMILIES,
      {
        orgId: watched.wallet.orgId,
        walletId: watched.wallet.id,
        network: networkSchema.parse("XrpLedger"),
        txHash: "AB".repeat(32),
        place: "XRP",
        from: undefined,
        moved: { kind: "Native", to: "rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh", amount: "5", memo: "4711" },
        asset: {},
        blockNumber: 7n,
        date: "2026-01-02T03:04:05.678Z",
      },
      "2026-01-02T03:04:05.678Z",
    );
    expect(announced?.data).toMatchObject({ blockchainEvent: { memo: "4711", index: "XRP" } });
  });
});
