import type { Arrival } from "@conclave/chains";
import {
  type AddressWatch,
  addressWatchIdSchema,
  type OrganisationId,
  organisationIdSchema,
} from "@conclave/custody";
import {
  freshId,
  insertAddressWatch,
  insertOrganisation,
  listEvents,
  listWatchedMovements,
  updateAddressWatch,
} from "@conclave/platform";
import { afterEach, beforeEach, expect, it } from "vitest";
import { openWatchedWallet, type WatchedWallet } from "../testing/watched-wallet.ts";
import { noWatchMemory } from "./deposit-watch.ts";
import { watchDeposits } from "./watch-deposits.ts";

const DATE = "2026-01-02T03:00:00.000Z";
const ADDRESS = "0x90F79bf6EB2c4f870365E785982E1f101E93b906";
const OTHER = "0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65";
const TOKEN = "0x5FbDB2315678afecb367f032d93F642f64180aa3";

let watched: WatchedWallet;
let watch: AddressWatch;
beforeEach(async () => {
  watched = await openWatchedWallet();
  watch = await watchIn(watched.wallet.orgId);
});
afterEach(() => watched.world.stop());

const watchIn = async (orgId: OrganisationId): Promise<AddressWatch> => {
  const made: AddressWatch = {
    id: freshId(addressWatchIdSchema, "aw"),
    orgId,
    network: watched.wallet.network,
    address: ADDRESS,
    name: undefined,
    externalId: undefined,
    status: "Active",
    dateCreated: DATE,
    dateActivated: DATE,
    dateDeleted: undefined,
  };
  await insertAddressWatch(watched.world.database, made);
  return made;
};

const movement = (txHash: string, from: string | undefined, to: string): Arrival => ({
  txHash,
  place: "value",
  from,
  moved: { kind: "Native", to, amount: "5" },
});
const claimed = (txHash: string, nth: number): Arrival => ({
  txHash,
  place: `log ${nth}`,
  from: ADDRESS,
  moved: { kind: "Erc20", contract: TOKEN, to: OTHER, amount: "5" },
});
const readBlocks = (blocks: ReadonlyMap<bigint, readonly Arrival[]>, finalHeight = 10n) =>
  watchDeposits(watched.watchWith(watched.nodeWith(blocks, finalHeight)));
const recorded = async (of = watch) =>
  (await listWatchedMovements(watched.world.database, of, { limit: 500 })).map(
    ({ txHash, direction }) => `${txHash} ${direction}`,
  );
const eventsOf = (of = watch) => listEvents(watched.world.database, of.id);

it("INV-6 records what comes to a watched address and what goes from it, each announced once", async () => {
  const blocks = new Map([
    [7n, [movement("0x01", OTHER, ADDRESS), movement("0x02", undefined, ADDRESS)]],
    [8n, [movement("0x03", ADDRESS, OTHER), movement("0x04", OTHER, OTHER)]],
  ]);
  await readBlocks(blocks);
  await readBlocks(blocks);
  expect((await recorded()).sort()).toEqual(["0x01 In", "0x02 In", "0x03 Out"]);
  const events = await eventsOf();
  expect(events).toHaveLength(3);
  const [out] = events.filter(({ data }) => JSON.stringify(data).includes("0x03"));
  expect(out).toMatchObject({
    kind: "address_watch.blockchain_event.transfer.confirmed",
    orgId: watch.orgId,
    data: {
      blockchainEvent: {
        kind: "NativeTransfer",
        addressWatchId: watch.id,
        direction: "Out",
        network: watch.network,
        blockNumber: 8,
        txHash: "0x03",
        from: ADDRESS,
        to: OTHER,
        value: "5",
        symbol: "ETH",
        status: "Confirmed",
      },
    },
  });
  expect(await watched.stored()).toEqual([]);
});

it("records a movement between a wallet and a watched address at both, and one to itself as out and in", async () => {
  const { address } = watched.wallet;
  await readBlocks(new Map([[7n, [movement("0x01", ADDRESS, address), movement("0x02", ADDRESS, ADDRESS)]]]));
  expect((await recorded()).sort()).toEqual(["0x01 Out", "0x02 In", "0x02 Out"]);
  expect(await watched.stored()).toEqual([{ tx_hash: "0x01" }]);
  expect(await watched.detected()).toHaveLength(1);
});

it("INV-11 records a movement for each organisation that watches the address", async () => {
  const orgId = freshId(organisationIdSchema, "or");
  await insertOrganisation(watched.world.database, { id: orgId, name: "Other", dateCreated: DATE });
  const theirs = await watchIn(orgId);
  await readBlocks(new Map([[7n, [movement("0x01", OTHER, ADDRESS)]]]));
  expect([await recorded(), await recorded(theirs)]).toEqual([["0x01 In"], ["0x01 In"]]);
  expect(await eventsOf(theirs)).toMatchObject([{ orgId }]);
});

it("records nothing of a deleted watch, and goes on with it when it is active again", async () => {
  const deleted: AddressWatch = { ...watch, status: "Archived", dateDeleted: DATE };
  await updateAddressWatch(watched.world.database, deleted);
  const blocks = new Map([
    [7n, [movement("0x01", OTHER, ADDRESS)]],
    [12n, [movement("0x02", ADDRESS, OTHER)]],
  ]);
  await readBlocks(blocks);
  expect(await recorded()).toEqual([]);
  await updateAddressWatch(watched.world.database, watch);
  await readBlocks(blocks, 20n);
  expect(await recorded()).toEqual(["0x02 Out"]);
});

it("INV-6 records each movement once, by two readers, and by one that begins anew after a crash", async () => {
  const blocks = new Map([[7n, [movement("0x01", OTHER, ADDRESS), movement("0x02", ADDRESS, OTHER)]]]);
  const reading = watched.watchWith(watched.nodeWith(blocks, 10n));
  await Promise.all([watchDeposits(reading), watchDeposits({ ...reading, memory: noWatchMemory() })]);
  // as after the loss of what was read
  await watched.world.database.execute("delete from read_blocks");
  await watchDeposits({ ...reading, memory: noWatchMemory() });
  expect((await recorded()).sort()).toEqual(["0x01 In", "0x02 Out"]);
  expect(await eventsOf()).toHaveLength(2);
});

it("reads a network for a watch alone, without any wallet on it", async () => {
  await watched.world.database.execute("update wallets set network = 'Ethereum'");
  await readBlocks(new Map([[7n, [movement("0x01", OTHER, ADDRESS)]]]));
  expect(await recorded()).toEqual(["0x01 In"]);
});

it("announces the first movements that a contract claims in a block, and records all", async () => {
  const claims = Array.from({ length: 60 }, (_, nth) => claimed("0x01", nth));
  await readBlocks(new Map([[7n, claims]]));
  expect(await recorded()).toHaveLength(60);
  expect(await eventsOf()).toHaveLength(50);
  expect(watched.counts.unannounced).toBe(10);
});

it("leaves out a movement that no record can hold, and counts it", async () => {
  const unreadable: Arrival = {
    ...movement("0x01", OTHER, ADDRESS),
    moved: { kind: "Native", to: ADDRESS, amount: "much" },
  };
  await readBlocks(new Map([[7n, [unreadable, movement("0x02", OTHER, ADDRESS)]]]));
  expect(await recorded()).toEqual(["0x02 In"]);
  expect(watched.counts.unstorable).toBe(1);
});
