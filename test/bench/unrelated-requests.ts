// Measures transfers of one wallet while 2000 requests wait behind another wallet's stuck transaction, and while the node of
// another network hangs; at production parameters. Run alone, some eight minutes: node_modules/.bin/tsx
// test/bench/unrelated-requests.ts

import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ApiWallet, type Cluster, createCluster, waitUntil } from "@conclave/testbed";
import { type AnyWallet, FAMILY_DRIVERS, makeWallet } from "@conclave/testbed/families";

/** Requests of another wallet, behind a transaction that the node refuses. */
const WAITERS = 2_000;
/** Requests of other wallets on the network with the hanging node. */
const HELD_UP = 50;
const SAMPLES = 60;
const POSTED_AT_ONCE = 16;
/** Its keys are Ed25519, so that slow presigning does not hide other delays. */
const NETWORK = "Stellar";
const PAYEE = "0x00000000000000000000000000000000c0ffee00";
const DEADLINE_MS = 60_000;
const COLUMN = 12;

const quantile = (samples: readonly number[], share: number): number =>
  samples.toSorted((a, b) => a - b)[Math.max(0, Math.ceil(share * samples.length) - 1)] ?? Number.NaN;

const row = (what: string, cells: readonly string[]): void => {
  process.stdout.write(`${what.padEnd(58)}${cells.map((cell) => cell.padStart(COLUMN)).join("")}\n`);
};

const driver = FAMILY_DRIVERS.find(({ network }) => network === NETWORK);
if (driver === undefined) throw new Error(`nothing drives ${NETWORK}`);

/** Milliseconds from request to broadcast, of transfers sent one after another. */
const timeTransfers = async (wallet: AnyWallet): Promise<readonly number[]> => {
  const taken: number[] = [];
  for (let at = 0; at < SAMPLES; at++) {
    const began = performance.now();
    const sent = await wallet.transfer(driver.native(2n * driver.least).body);
    await wallet.until(sent, ({ txHash }) => txHash !== undefined);
    taken.push(performance.now() - began);
    await wallet.until(sent, ({ status }) => status === "Confirmed");
  }
  return taken;
};

/** Sends requests, several at a time, without waiting for their end. */
const post = async (cluster: Cluster, payers: Iterable<ApiWallet>): Promise<void> => {
  const left = payers[Symbol.iterator]();
  const poster = async (): Promise<void> => {
    for (let next = left.next(); next.done !== true; next = left.next()) {
      await cluster.api.transfer(next.value.id, { kind: "Native", to: PAYEE, amount: "1" });
    }
  };
  await Promise.all(Array.from({ length: POSTED_AT_ONCE }, poster));
};

/**
 * Makes waiting requests behind a wallet without coins: its first transaction is signed, refused by the node, and sent again
 * repeatedly.
 */
const stick = async (cluster: Cluster): Promise<void> => {
  const wallet = await cluster.api.createWallet(cluster.description.chain.network, "stuck");
  const first = await cluster.api.transfer(wallet.id, { kind: "Native", to: PAYEE, amount: "1" });
  const isRefused = async () => {
    const { reason } = await cluster.api.readTransfer(wallet.id, first.id);
    return reason?.includes("funds") === true ? true : undefined;
  };
  await waitUntil(isRefused, { what: "a transaction that is stuck", deadlineMs: DEADLINE_MS, pollMs: 100 });
  await post(
    cluster,
    Array.from({ length: WAITERS }, () => wallet),
  );
};

const hang = async (cluster: Cluster): Promise<void> => {
  const wallets: ApiWallet[] = [];
  for (let at = 0; at < HELD_UP; at++) {
    wallets.push(await cluster.api.createWallet(cluster.description.chain.network, `held up ${at}`));
  }
  cluster.pause("anvil");
  await post(cluster, wallets);
};

const cluster = await createCluster({
  state: mkdtempSync(join(tmpdir(), "conclave-unrelated-")),
  disposable: true,
  presignatures: 0,
  requestsPerMinute: 0,
  networks: [NETWORK],
  ports: "free",
});
try {
  await cluster.startNode(NETWORK);
  const wallet = await makeWallet(cluster, NETWORK, "1000");
  row(`${NETWORK}: POST a transfer → broadcast, ${SAMPLES} transfers, ms`, ["p50", "p99", "p99 to idle"]);
  await timeTransfers(wallet);
  const idle = quantile(await timeTransfers(wallet), 0.99);
  const print = (what: string, taken: readonly number[]): void => {
    const p99 = quantile(taken, 0.99);
    row(what, [quantile(taken, 0.5).toFixed(0), p99.toFixed(0), (p99 / idle).toFixed(2)]);
  };
  print("nothing else asked for", await timeTransfers(wallet));
  await stick(cluster);
  print(`${WAITERS} requests behind one stuck transaction`, await timeTransfers(wallet));
  await hang(cluster);
  print(`and the node of another network hangs, ${HELD_UP} wallets wait`, await timeTransfers(wallet));
} finally {
  cluster.resume("anvil");
  await cluster.stop();
}
