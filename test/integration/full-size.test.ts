import type { Cluster } from "@conclave/testbed";
import { Transaction } from "ethers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { freshReceiver, makeFundedWallet } from "./funded-wallet.ts";
import { PATIENCE_MS } from "./patience.ts";
import { SignerAccess } from "./signer-access.ts";
import { startCluster } from "./throw-away-cluster.ts";

/** Each signer generates moduli from safe primes: some 30 s on two idle cores, much longer on busy ones. */
const START_MS = 600_000;

let cluster: Cluster;
beforeAll(async () => {
  cluster = await startCluster({ parameters: "CGGMP24-128", signers: 3, threshold: 3 });
}, START_MS);
afterAll(() => cluster?.stop());

describe("with the parameters of production (3072-bit moduli), three signers", () => {
  it("make a key and sign a transfer that is confirmed on chain", async () => {
    const wallet = await makeFundedWallet(cluster);
    const to = freshReceiver();
    const asked = await cluster.api.transfer(wallet.id, { kind: "Native", to, amount: "31415926535" });
    const { txHash } = await cluster.api.confirmed(asked, PATIENCE_MS);
    const { from, value } = Transaction.from(await cluster.chain.rawTransaction(txHash ?? "0x"));
    expect({ from, value }).toEqual({ from: wallet.address, value: 31415926535n });
    expect(await cluster.chain.balance(to)).toBe(31415926535n);
  });

  it("all say that these are their parameters", async () => {
    const signers = await SignerAccess.open(cluster);
    const statuses = await signers.statuses();
    signers.close();
    expect([...statuses.values()].map(({ parameters }) => parameters)).toEqual(
      Array.from({ length: 3 }, () => "CGGMP24-128"),
    );
  });
});
