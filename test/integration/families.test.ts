import type { Cluster } from "@conclave/testbed";
import { type AnyWallet, command, FAMILY_DRIVERS, makeWallet } from "@conclave/testbed/families";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startCluster } from "./throw-away-cluster.ts";

const START_MS = 120_000;
const TEST_MS = 120_000;

let cluster: Cluster;
beforeAll(async () => {
  cluster = await startCluster({ networks: FAMILY_DRIVERS.map(({ network }) => network) });
}, START_MS);
afterAll(() => cluster?.stop(), START_MS);

it("no node runs before somebody needs it", () => {
  const names = cluster.status().map(({ name }) => name);
  for (const { network } of FAMILY_DRIVERS) expect(names).not.toContain(`ledger-${network}`);
});

describe.each(FAMILY_DRIVERS.map((driver) => [driver.network, driver] as const))("%s", (network, driver) => {
  let wallet: AnyWallet;
  beforeAll(async () => {
    wallet = await makeWallet(cluster, network, "1000");
  }, START_MS);

  it("a wallet has the address of its key, as the chain's library computes it", () => {
    expect(wallet.address).toBe(driver.addressOf(wallet.publicKey));
  });

  it(
    "each kind of transfer is signed by three of five, taken by the node and confirmed, with the fee that was paid",
    async () => {
      const kinds = await driver.kinds(wallet.urls, wallet);
      for (const { kind, body, expected } of kinds) {
        const { txHash, fee } = await wallet.confirmed(body);
        const seen = await driver.read(wallet.urls, txHash);
        expect([kind, seen]).toMatchObject([
          kind,
          { ...expected, sender: wallet.address, fee: BigInt(fee), isSigned: true },
        ]);
      }
    },
    TEST_MS,
  );

  it(
    "a transaction that is altered is refused, and one that is sent again does not land again",
    async () => {
      const { body, expected } = driver.native(2n * driver.least);
      const { txHash } = await wallet.confirmed(body);
      const { signed } = await driver.read(wallet.urls, txHash);
      expect(await driver.submit(wallet.urls, driver.altered(signed))).toEqual({
        kind: "refused",
        words: expect.stringMatching(driver.wrongSignature),
      });
      await driver.submit(wallet.urls, signed);
      await command(wallet.urls, "mine");
      expect(await driver.balance(wallet.urls, expected.recipient)).toBe(expected.amount);
    },
    TEST_MS,
  );

  it(
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

  it(
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

  const { expire } = driver;
  if (expire === undefined) return;
  it(
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
});
