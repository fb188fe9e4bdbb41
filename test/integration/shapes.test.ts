import { existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Cluster, createCluster } from "@conclave/testbed";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { freshReceiver, makeFundedWallet } from "./funded-wallet.ts";
import { signingOf } from "./service-log.ts";
import { startCluster } from "./throw-away-cluster.ts";

const CONFIRMED_MS = 30_000;
const SEEN_MS = 10_000;
const NEVER_MADE = join(tmpdir(), "conclave-integration-never-made");

describe("a cluster of two of three signers", () => {
  let cluster: Cluster;
  beforeAll(async () => {
    cluster = await startCluster({ signers: 3, threshold: 2 });
  });
  afterAll(() => cluster?.stop());

  const send = async (walletId: string) =>
    cluster.api.transfer(walletId, { kind: "Native", to: freshReceiver(), amount: "1" });

  it("INV-5 signs with any two, and waits when only one is left", async () => {
    const wallet = await makeFundedWallet(cluster);
    await cluster.kill("signer-1");
    const signed = await cluster.api.confirmed(await send(wallet.id), CONFIRMED_MS);
    expect(signingOf(cluster.layout, signed.id).quorum).toEqual([2, 3]);
    await cluster.kill("signer-3");
    const waiting = await cluster.api.follow(
      await send(wallet.id),
      ({ reason }) => reason !== undefined,
      SEEN_MS,
    );
    expect(waiting).toMatchObject({
      status: "Executing",
      reason: "waiting for signers: 1 of the 2 needed is live; signer-1, signer-3 do not answer",
    });
    await cluster.restart("signer-1");
    await cluster.api.confirmed(waiting, CONFIRMED_MS);
    expect(signingOf(cluster.layout, waiting.id).quorum).toEqual([1, 2]);
    expect(await cluster.chain.transactionCount(wallet.address)).toBe(2);
  });
});

describe("a cluster that cannot be", () => {
  it.each([
    ["a threshold above the number of signers", { signers: 3, threshold: 4 }],
    ["a threshold of one", { signers: 3, threshold: 1 }],
    ["a single signer", { signers: 1, threshold: 1 }],
  ] as const)("is refused before anything starts: %s", async (_, shape) => {
    await expect(
      createCluster({ state: NEVER_MADE, parameters: "INSECURE-TEST", ...shape }),
    ).rejects.toMatchObject({ name: "LaunchError" });
    expect(existsSync(NEVER_MADE)).toBe(false);
  });
});
