import { execFileSync } from "node:child_process";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { type Cluster, forgetState, stateLayout, waitUntil } from "@conclave/testbed";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { makeFundedWallet } from "./funded-wallet.ts";
import { conclave } from "./liars/operators-command.ts";
import { PATIENCE_MS } from "./patience.ts";
import { SignerAccess } from "./signer-access.ts";
import { startCluster, stateFolder } from "./throw-away-cluster.ts";

const INDICES = [1, 2, 3];
const THRESHOLD = 2;
const PER_SET = 2;
/** One full stock: each life would spend all presignatures of the life before. */
const MESSAGES = PER_SET * INDICES.length;

const signatureSchema = z.object({ signature: z.object({ r: z.string() }) });

const state = stateFolder();
const copies = stateFolder();
let cluster: Cluster;
let walletId: string;
let lives = 0;
/** every r of the key's signatures, with the life of the cluster in which it was made */
const seen = new Map<string, number>();

const start = async (): Promise<void> => {
  cluster = await startCluster({
    state,
    signers: INDICES.length,
    threshold: THRESHOLD,
    presignatures: PER_SET,
    disposable: false,
  });
  lives += 1;
};

/** Copies a folder like a backup, with names, owners and permissions. */
const copy = (from: string, to: string): void => {
  rmSync(to, { recursive: true, force: true });
  execFileSync("cp", ["-a", from, to]);
};

const fullStock = (): Promise<true> =>
  waitUntil(async () => ((await cluster.stock())?.ready === MESSAGES ? true : undefined), {
    what: "a full stock",
    deadlineMs: PATIENCE_MS,
    pollMs: 50,
  });

const consumed = async (): Promise<number> => {
  const access = await SignerAccess.open(cluster);
  try {
    return [...(await access.statuses()).values()].reduce((sum, { pool }) => sum + pool.consumed, 0);
  } finally {
    access.close();
  }
};

/** Signs messages unique to this life. @returns each r that an earlier signature had too */
const sharedNonces = async (): Promise<readonly string[]> => {
  const shared: string[] = [];
  for (let at = 0; at < MESSAGES; at += 1) {
    const message = `0x${Buffer.from(`life ${lives}, message ${at}`).toString("hex")}`;
    const body = { kind: "Message", message };
    const { r } = signatureSchema.parse(
      (await cluster.api.send("POST", `/wallets/${walletId}/signatures`, body)).body,
    ).signature;
    const before = seen.get(r);
    if (before !== undefined) shared.push(`${r}: lives ${before} and ${lives}`);
    seen.set(r, lives);
  }
  return shared;
};

/** Stops the cluster, replaces folders of the state by copies, and starts it again. */
const goBack = async (names: readonly string[], from: string): Promise<void> => {
  await cluster.stop();
  for (const name of names) copy(join(from, name), join(state, name));
  rmSync(stateLayout(state).run, { recursive: true, force: true }); // the copy lists processes that are gone
  await start();
};

const signerFolders = (indices: readonly number[]): readonly string[] =>
  indices.map((index) => `signer-${index}`);

const stopped = join(copies, "stopped");
const running = join(copies, "running");

beforeAll(async () => {
  await start();
  walletId = (await makeFundedWallet(cluster)).id;
  await fullStock();
  await cluster.stop();
  copy(state, stopped);
  await start();
  await fullStock();
  const names = cluster.status().flatMap((each) => (each.state === "exited" ? [] : [each.name]));
  for (const name of names) cluster.pause(name);
  copy(state, running);
  for (const name of names) cluster.resume(name);
  await cluster.ready();
});
afterAll(async () => {
  await cluster?.stop();
  forgetState(state);
  rmSync(copies, { recursive: true, force: true });
});

describe("INV-2 P6 no two signatures share an r", () => {
  it("in the life of which the copies are", async () => {
    await fullStock();
    const before = await consumed();
    expect(await sharedNonces()).toEqual([]);
    // otherwise the following tests would prove nothing
    expect(await consumed()).toBeGreaterThan(before);
  });

  it.each<readonly [string, readonly string[], string]>([
    ["the whole host goes back to a copy of a running cluster", ["."], running],
    ["the whole host goes back to a copy of a stopped cluster", ["."], stopped],
    ["all signers go back, and the database does not", signerFolders(INDICES), running],
    ["one signer goes back", signerFolders([3]), running],
  ])("after %s", async (_, names, from) => {
    await goBack(names, from);
    expect(await sharedNonces()).toEqual([]);
  });

  it("after t signers go back, and their keys have their next epochs", async () => {
    await goBack(signerFolders([1, 2]), stopped);
    await expect
      .poll(async () => (await cluster.signerStates()).map(({ keysToRefresh }) => keysToRefresh > 0))
      .toEqual([true, true, true]);
    expect((await conclave({}, "refresh", "--state", state)).code).toBe(0);
    expect(await sharedNonces()).toEqual([]);
  });
});
