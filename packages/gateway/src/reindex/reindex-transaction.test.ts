import type { Arrival } from "@conclave/chains";
import { networkSchema, walletIdSchema } from "@conclave/custody";
import { insertDeposits, listEvents } from "@conclave/platform";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { errorOf, walletOf } from "../testing/bodies.ts";
import { personWith } from "../testing/people.ts";
import { startWorld, type World } from "../testing/world.ts";

const PATH = "/networks/ethereum-sepolia/transactions/reindex";
const HASH = `0x${"5d".repeat(32)}`;
const OTHER_HASH = `0x${"6e".repeat(32)}`;
const STRANGER = "0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65";
const WATCHED = "0x90F79bf6EB2c4f870365E785982E1f101E93b906";
const TOKEN = "0x5FbDB2315678afecb367f032d93F642f64180aa3";
const DETECTED = "wallet.blockchainevent.detected";
const CONFIRMED = "address_watch.blockchain_event.transfer.confirmed";

const historySchema = z.looseObject({ items: z.array(z.looseObject({ txHash: z.string() })) });
const walletSchema = z.looseObject({ id: walletIdSchema, address: z.string() });

let world: World;
let wallet: z.output<typeof walletSchema>;
let watch: string;
beforeEach(async () => {
  world = await startWorld();
  const made = await world.call("POST", "/wallets", { network: "EthereumSepolia" });
  wallet = walletSchema.parse(made.body);
  const body = { network: "EthereumSepolia", address: WATCHED };
  watch = walletOf((await world.call("POST", "/address-watches", body)).body).id;
});
afterEach(() => world.stop());

const movement = (txHash: string, from: string, to: string): Arrival => ({
  txHash,
  place: "value",
  from,
  moved: { kind: "Native", to, amount: "5" },
  date: "2026-01-02T03:00:00.000Z",
});
const reindex = (txHash: string, call = world.call) => call("POST", PATH, { txHash });
const refusal = async (txHash: string) => {
  const { status, body } = await reindex(txHash);
  return [status, errorOf(body).details.code];
};
const historyOf = async (path: string) =>
  historySchema.parse((await world.call("GET", `${path}/history`)).body).items;
const eventsOf = async (id: string, kind: string) =>
  (await listEvents(world.database, id)).filter((event) => event.kind === kind);

describe("POST /networks/{network}/transactions/reindex", () => {
  it("INV-6 records what is missing of a final transaction, at wallets and watched addresses, once", async () => {
    world.chain.setIncluded(HASH, [
      movement(HASH, STRANGER, wallet.address),
      { ...movement(HASH, WATCHED, STRANGER), place: "log 1" },
    ]);
    world.chain.setIncluded(OTHER_HASH, [movement(OTHER_HASH, STRANGER, wallet.address)]);
    for (const named of [HASH, HASH.toUpperCase().replace("X", "x"), HASH]) {
      const { status, body } = await reindex(named);
      expect([status, body]).toEqual([200, { success: true }]);
    }
    expect(await historyOf(`/wallets/${wallet.id}`)).toMatchObject([
      {
        kind: "NativeTransfer",
        direction: "In",
        txHash: HASH,
        index: "value",
        blockNumber: 7,
        value: "5",
        timestamp: "2026-01-02T03:00:00.000Z",
      },
    ]);
    expect(await historyOf(`/address-watches/${watch}`)).toMatchObject([
      { direction: "Out", txHash: HASH, index: "log 1" },
    ]);
    expect(await eventsOf(wallet.id, DETECTED)).toHaveLength(1);
    expect(await eventsOf(watch, CONFIRMED)).toHaveLength(1);
  });

  it("INV-6 announces nothing that the reader of blocks recorded, also of requests at the same moment", async () => {
    world.chain.setIncluded(HASH, [movement(HASH, STRANGER, wallet.address)]);
    await insertDeposits(world.database, [
      {
        ...movement(HASH, STRANGER, wallet.address),
        orgId: world.caller.orgId,
        walletId: wallet.id,
        network: networkSchema.parse("EthereumSepolia"),
        asset: {},
        blockNumber: 7n,
        date: "2026-01-02T03:00:00.000Z",
      },
    ]);
    await Promise.all([reindex(HASH), reindex(HASH, world.callBeside), reindex(HASH)]);
    expect(await historyOf(`/wallets/${wallet.id}`)).toHaveLength(1);
    expect(await eventsOf(wallet.id, DETECTED)).toEqual([]);
  });

  it("announces as many movements that a contract claims as the reader does, whichever transaction is named", async () => {
    const claimed = (txHash: string, count: number): readonly Arrival[] =>
      Array.from({ length: count }, (_, nth) => ({
        ...movement(txHash, STRANGER, wallet.address),
        place: `log ${nth}`,
        moved: { kind: "Erc20", contract: TOKEN, to: wallet.address, amount: "1" },
      }));
    world.chain.setIncluded(OTHER_HASH, claimed(OTHER_HASH, 45));
    world.chain.setIncluded(HASH, claimed(HASH, 20));
    await reindex(HASH);
    expect(await historyOf(`/wallets/${wallet.id}`)).toHaveLength(20);
    expect(await eventsOf(wallet.id, DETECTED)).toHaveLength(5);
  });

  it("INV-11 records nothing of another organisation, and answers it the same", async () => {
    world.chain.setIncluded(HASH, [
      movement(HASH, STRANGER, wallet.address),
      movement(HASH, STRANGER, WATCHED),
    ]);
    const headers = { authorization: `Bearer ${world.strangersToken}` };
    const { status, body } = await world.call("POST", PATH, { txHash: HASH }, headers);
    expect([status, body]).toEqual([200, { success: true }]);
    expect(await historyOf(`/wallets/${wallet.id}`)).toEqual([]);
    expect(await historyOf(`/address-watches/${watch}`)).toEqual([]);
  });

  it("INV-9 refuses a transaction that is in no block, in one that is not final, or in one that is forgotten", async () => {
    expect(await refusal(HASH)).toEqual([404, "TransactionNotIncluded"]);
    world.chain.setIncluded(HASH, [movement(HASH, STRANGER, wallet.address)]);
    world.chain.setFinalHeight(6n);
    expect(await refusal(HASH)).toEqual([409, "TransactionNotFinal"]);
    world.chain.setFinalHeight(7n);
    world.chain.setAway(true);
    expect(await refusal(HASH)).toEqual([503, "ServiceUnavailable"]);
    world.chain.setAway(false);
    world.chain.forgetBlocks();
    expect(await refusal(HASH)).toEqual([422, "TransactionForgotten"]);
    expect(await historyOf(`/wallets/${wallet.id}`)).toEqual([]);
  });

  it("INV-9 refuses wrong bodies and networks, which count against no limit", async () => {
    const network = (name: string) => `/networks/${name}/transactions/reindex`;
    const wrong = [
      [PATH, { txHash: HASH.slice(2) }, "TransactionIdInvalid"],
      [PATH, { txHash: `${HASH}00` }, "TransactionIdInvalid"],
      [PATH, { txHash: "" }, "InvalidBody"],
      [PATH, { txHash: "a".repeat(257) }, "InvalidBody"],
      [PATH, { txHash: 7 }, "InvalidBody"],
      [PATH, {}, "InvalidBody"],
      [PATH, { txHash: HASH, force: true }, "InvalidBody"],
      [PATH, "no JSON", "InvalidJson"],
      [network("nowhere"), { txHash: HASH }, "NetworkUnknown"],
      [network("Ethereum"), { txHash: HASH }, "NetworkNotEnabled"],
      [network("KeyECDSA"), { txHash: HASH }, "NetworkWithoutAddress"],
    ] as const;
    for (const [path, body, code] of wrong) {
      const answer = await world.call("POST", path, body);
      expect([answer.status, errorOf(answer.body).details.code], path).toEqual([400, code]);
    }
    world.chain.setIncluded(HASH, []);
    for (let asked = 0; asked < 10; asked += 1) expect((await reindex(HASH)).status).toBe(200);
  });

  it("is taken ten times in ten minutes, at all gateways together; other organisations have their own", async () => {
    world.chain.setIncluded(HASH, []);
    const asked = await Promise.all(
      Array.from({ length: 12 }, (_, at) => reindex(HASH, at % 2 === 0 ? world.call : world.callBeside)),
    );
    expect(asked.map(({ status }) => status).sort()).toEqual([
      ...Array.from({ length: 10 }, () => 200),
      429,
      429,
    ]);
    const refused = asked.find(({ status }) => status === 429);
    expect(errorOf(refused?.body).details.code).toBe("TooManyReindexings");
    expect(Number(refused?.headers.get("retry-after"))).toBeGreaterThan(500);
    const headers = { authorization: `Bearer ${world.strangersToken}` };
    expect((await world.call("POST", PATH, { txHash: HASH }, headers)).status).toBe(200);
  });

  it("needs its permission", async () => {
    world.chain.setIncluded(HASH, []);
    const [nobody, somebody] = [
      await personWith(world, ["AddressWatches:Read"]),
      await personWith(world, ["Networks:Transactions:Reindex"]),
    ];
    const { status, body } = await nobody.call("POST", PATH, { txHash: HASH });
    expect([status, errorOf(body).details.code]).toEqual([403, "PermissionMissing"]);
    expect((await somebody.call("POST", PATH, { txHash: HASH })).status).toBe(200);
  });
});
