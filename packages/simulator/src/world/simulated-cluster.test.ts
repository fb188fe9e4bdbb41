import { readTransfer } from "@conclave/platform";
import { expect, test } from "vitest";
import { SimulatedCluster } from "./simulated-cluster.ts";

const PLAN = { seed: "first", signers: 5, threshold: 3, orchestrators: 2 };

test("a cluster of one process makes a key and pays transfers", async () => {
  const cluster = await SimulatedCluster.open(PLAN);
  await cluster.start();
  const id = await cluster.passing(cluster.gateway.createWallet());
  let wallet = await cluster.passing(cluster.gateway.readWallet(id));
  for (let look = 0; wallet === undefined && look < 100; look += 1) {
    await cluster.pass(500);
    wallet = await cluster.passing(cluster.gateway.readWallet(id));
  }
  expect(cluster.failures).toEqual([]);
  if (wallet === undefined) throw new Error("the wallet has no key");
  cluster.parts.chain.chain.fund(wallet.address, 10n ** 18n);
  const asked = { walletId: wallet.id, to: `0x${"11".repeat(20)}`, amount: 5n };
  const transfer = await cluster.passing(cluster.gateway.accept(wallet, asked));
  let status: string | undefined;
  for (let look = 0; status !== "Confirmed" && look < 40; look += 1) {
    await cluster.pass(500);
    const found = await cluster.passing(readTransfer(cluster.observer, transfer.id));
    status = `${found?.status}${found?.reason === undefined ? "" : ` ${found.reason}`}`;
  }
  expect([status, cluster.failures]).toEqual(["Confirmed", []]);
  await cluster.close();
}, 120_000);
