import { readFileSync } from "node:fs";
import { walletIdSchema } from "@conclave/custody";
import { type Database, listEvents, openDatabase } from "@conclave/platform";
import { type Cluster, LOCAL_NETWORKS } from "@conclave/testbed";
import { type AnyWallet, command, FAMILY_DRIVERS, makeWallet } from "@conclave/testbed/families";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startCluster } from "./throw-away-cluster.ts";

// test/compat/operations/family-operations.ts tests the result of each kind of transfer through the vendor's client

/** whole coins that each wallet receives from its network's faucet */
const COINS = "1000";
/** Each chain makes a block per second or faster: polling more often would load the gateway and hardly save time. */
const POLL_MS = 250;
const START_MS = 120_000;
const TEST_MS = 120_000;

let cluster: Cluster;
let database: Database;
beforeAll(async () => {
  const networks = FAMILY_DRIVERS.map(({ network }) => network);
  cluster = await startCluster({ signers: 3, threshold: 2, networks, pollMs: POLL_MS });
  database = openDatabase({ url: readFileSync(cluster.layout.databaseUrl, "utf8"), name: "test" });
}, START_MS);
afterAll(async () => {
  await database?.close();
  await cluster?.stop();
}, START_MS);

it("no node runs before somebody needs it", () => {
  const names = cluster.status().map(({ name }) => name);
  for (const { network } of FAMILY_DRIVERS) expect(names).not.toContain(`ledger-${network}`);
});

// families run concurrently, because each mostly waits for its chain; tests within a family run in sequence
describe.concurrent.each(FAMILY_DRIVERS.map((driver) => [driver.network, driver] as const))(
  "%s",
  (network, driver) => {
    let wallet: AnyWallet;
    beforeAll(async () => {
      wallet = await makeWallet(cluster, network, COINS);
    }, START_MS);

    it.sequential("a wallet has the address of its key, as the chain's library computes it", () => {
      expect(wallet.address).toBe(driver.addressOf(wallet.publicKey, wallet.scheme));
    });

    it.sequential(
      "INV-6 an arrival from outside is detected once, in the wallet's history and by an event",
      async () => {
        const { decimals } = LOCAL_NETWORKS.find((local) => local.network === network) ?? expect.fail();
        const amount = BigInt(COINS) * 10n ** BigInt(decimals);
        expect(await wallet.arrived(amount)).toMatchObject([
          { kind: driver.coinEvent ?? "NativeTransfer", direction: "In" },
        ]);
        const events = await listEvents(database, walletIdSchema.parse(wallet.id));
        expect(events.filter(({ kind }) => kind === "wallet.blockchainevent.detected")).toMatchObject([
          { data: { blockchainEvent: { value: String(amount), status: "Confirmed" } } },
        ]);
      },
      TEST_MS,
    );

    it.sequential(
      "a transaction that is altered is refused, and one that is sent again does not land again",
      async () => {
        const { body, expected } = driver.native(2n * driver.least);
        const { txHash } = await wallet.confirmed(body);
        const { signed } = await driver.read(wallet.urls, txHash);
        await driver.forget?.(wallet.urls, txHash);
        expect(await driver.submit(wallet.urls, driver.altered(signed))).toEqual({
          kind: "refused",
          words: expect.stringMatching(driver.wrongSignature),
        });
        for (const _ of ["once", "again"]) {
          await driver.submit(wallet.urls, signed);
          await command(wallet.urls, "mine");
        }
        expect(await driver.balance(wallet.urls, expected.recipient)).toBe(expected.amount);
      },
      TEST_MS,
    );

    it.sequential(
      "INV-4 a node that takes the bytes and loses its reply is sent the same ones: they land once",
      async () => {
        const { body, expected } = driver.native(3n * driver.least);
        await command(wallet.urls, "lose-replies", { count: 1 });
        const { txHash } = await wallet.confirmed(body);
        expect(await driver.read(wallet.urls, txHash)).toMatchObject(expected);
        expect(await driver.balance(wallet.urls, expected.recipient)).toBe(expected.amount);
      },
      TEST_MS,
    );

    it.sequential(
      "INV-4 a node that forgets what it took is sent the same bytes: they land once",
      async () => {
        const { body, expected } = driver.native(7n * driver.least);
        await command(wallet.urls, "hold");
        const sent = await wallet.transfer(body);
        const first = await wallet.until(sent, ({ status }) => status === "Broadcasted");
        await command(wallet.urls, "drop", { id: first.txHash });
        await command(wallet.urls, "resume");
        const last = await wallet.until(sent, ({ status }) => status === "Confirmed");
        expect(last.txHash).toBe(first.txHash);
        expect(await driver.balance(wallet.urls, expected.recipient)).toBe(expected.amount);
      },
      TEST_MS,
    );

    it.sequential(
      "INV-5 while the node is dead a transfer waits, with a reason; it lands once the node is back with its chain",
      async () => {
        const process = `ledger-${network}`;
        const before = await driver.balance(wallet.urls, wallet.address);
        await cluster.kill(process);
        const { body, expected } = driver.native(4n * driver.least);
        const sent = await wallet.transfer(body);
        const waiting = await wallet.until(sent, ({ reason }) => reason !== undefined);
        expect(["Pending", "Executing"]).toContain(waiting.status);
        await cluster.restart(process);
        const { status } = await wallet.until(sent, (now) => now.status === "Confirmed");
        expect(status).toBe("Confirmed");
        expect(await driver.balance(wallet.urls, expected.recipient)).toBe(expected.amount);
        expect(await driver.balance(wallet.urls, wallet.address)).toBeLessThan(before - expected.amount);
      },
      TEST_MS,
    );

    const { expire, otherKey, takeBack } = driver;
    if (takeBack !== undefined) {
      it.sequential(
        "INV-4 a transaction whose block is taken back is sent again, the same bytes: they land once",
        async () => {
          const { body, expected } = driver.native(8n * driver.least);
          await command(wallet.urls, "hold");
          const sent = await wallet.transfer(body);
          const first = await wallet.until(sent, ({ status }) => status === "Broadcasted");
          await takeBack(wallet.urls, first.txHash ?? "");
          await command(wallet.urls, "resume");
          const last = await wallet.until(sent, ({ status }) => status === "Confirmed");
          expect(last.txHash).toBe(first.txHash);
          expect(await driver.balance(wallet.urls, expected.recipient)).toBe(expected.amount);
        },
        TEST_MS,
      );
    }
    if (otherKey !== undefined) {
      it.sequential(
        "a wallet with the other kind of key has its address, and sends",
        async () => {
          const other = await makeWallet(cluster, network, COINS, otherKey);
          expect(other.scheme).not.toBe(wallet.scheme);
          expect(other.address).toBe(driver.addressOf(other.publicKey, other.scheme));
          const { body, expected } = driver.native(6n * driver.least);
          const { txHash } = await other.confirmed(body);
          expect(await driver.read(other.urls, txHash)).toMatchObject({
            ...expected,
            sender: other.address,
            isSigned: true,
          });
        },
        TEST_MS,
      );
    }

    if (expire === undefined) return;
    it.sequential(
      "INV-4 a transaction that can land no more is built again, once that is final: one of the two lands",
      async () => {
        const { body, expected } = driver.native(5n * driver.least);
        await command(wallet.urls, "hold");
        const sent = await wallet.transfer(body);
        const first = await wallet.until(sent, ({ txHash }) => txHash !== undefined);
        await expire(wallet.urls, first.txHash ?? "");
        await command(wallet.urls, "resume");
        const last = await wallet.until(sent, ({ status }) => status === "Confirmed");
        expect(last.txHash).not.toBe(first.txHash);
        expect(await driver.balance(wallet.urls, expected.recipient)).toBe(expected.amount);
      },
      TEST_MS,
    );
  },
);
