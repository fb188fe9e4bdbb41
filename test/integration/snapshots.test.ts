import { rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { type ApiWallet, type Cluster, forgetState } from "@conclave/testbed";
import { Transaction } from "ethers";
import { afterAll, beforeAll, expect, it } from "vitest";
import { freshReceiver, makeFundedWallet } from "./funded-wallet.ts";
import { conclave } from "./liars/operators-command.ts";
import { PATIENCE_MS } from "./patience.ts";
import { startCluster, stateFolder } from "./throw-away-cluster.ts";

const state = stateFolder();
/** Snapshots are beside the state. */
const snapshots = join(dirname(state), ".snapshots", basename(state));
const start = (): Promise<Cluster> =>
  startCluster({ state, signers: 2, threshold: 2, presignatures: 2, disposable: false });

let cluster: Cluster;
let wallet: ApiWallet;

const pay = async () => {
  const asked = await cluster.api.transfer(wallet.id, { kind: "Native", to: freshReceiver(), amount: "1" });
  const { id, txHash = expect.fail("a confirmed transfer has a hash") } = await cluster.api.confirmed(
    asked,
    PATIENCE_MS,
  );
  const { nonce, signature } = Transaction.from(await cluster.chain.rawTransaction(txHash));
  return { id, txHash, nonce, r: signature?.r };
};

beforeAll(async () => {
  cluster = await start();
  wallet = await makeFundedWallet(cluster);
});
afterAll(async () => {
  await cluster.stop();
  forgetState(state);
  await rm(snapshots, { recursive: true, force: true });
});

it("INV-2, INV-4: a snapshot puts keys, records and chain back together, and the cluster signs on with fresh nonces", async () => {
  const before = await pay();
  expect(await conclave({}, "snapshot", "first", "--state", state)).toMatchObject({
    code: 1,
    out: expect.stringMatching(/^\nconclave: the cluster \S+ runs\nStop it first/),
  });
  await cluster.stop();
  expect(await conclave({}, "snapshot", "first", "--state", state)).toMatchObject({ code: 0 });

  cluster = await start();
  const forgotten = await pay();
  await cluster.stop();
  expect(await conclave({}, "restore", "first", "--state", state)).toMatchObject({ code: 1 });
  expect(await conclave({}, "restore", "first", "--yes", "--state", state)).toMatchObject({ code: 0 });
  const { out } = await conclave({}, "snapshot", "--list", "--json", "--state", state);
  expect(JSON.parse(out)).toMatchObject([{ name: "first" }]);

  cluster = await start();
  await expect(cluster.api.readTransfer(wallet.id, forgotten.id)).rejects.toThrow();
  await expect(cluster.chain.rawTransaction(forgotten.txHash)).rejects.toThrow();
  const after = await pay();
  expect([before.nonce, forgotten.nonce, after.nonce]).toEqual([0, 1, 1]);
  expect(new Set([before.r, forgotten.r, after.r]).size).toBe(3);
});
