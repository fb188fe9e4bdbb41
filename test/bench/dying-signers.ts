// Measures how much a signer's death delays a signature in progress, with presignatures in stock, and how soon a killed signer
// serves again. At production parameters, run alone, some five minutes: node_modules/.bin/tsx test/bench/dying-signers.ts
// [DEATHS, default 30]

import { setTimeout as pause } from "node:timers/promises";
import { type ApiWallet, type Cluster, waitUntil } from "@conclave/testbed";
import { quantile } from "../../packages/cli/src/bench/statistics.ts";
import { startStockedCluster } from "./stocked-cluster.ts";

const DEATHS = Number(process.argv[2] ?? "30");
const WARM_UP = 3;
const PER_SET = 2;
/** A signature from the stock takes some fifteen milliseconds, so the signer dies in the middle of it. */
const KILLED_AFTER_MS = [2, 5, 8, 11] as const;
const STOCKED_MS = 2 * 60_000;
const COLUMN = 16;

const row = (label: string, ...cells: readonly (string | number)[]): void => {
  process.stdout.write(`${label.padEnd(52)}${cells.map((cell) => String(cell).padStart(COLUMN)).join("")}\n`);
};
const ms = (value: number): string => `${value.toFixed(0)} ms`;
const show = (label: string, samples: readonly number[]): void =>
  row(label, ms(quantile(samples, 0.5)), ms(quantile(samples, 0.99)), samples.length);

/** Presignatures that suffice: the stock avoids sets with a signer that was slow lately, so it may not fill up. */
const IN_STOCK = 5;
const untilStocked = (cluster: Cluster): Promise<true> =>
  waitUntil(async () => (((await cluster.stock())?.ready ?? 0) >= IN_STOCK ? true : undefined), {
    what: "presignatures in stock",
    deadlineMs: STOCKED_MS,
    pollMs: 100,
  });

const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const began = performance.now();
  await work();
  return performance.now() - began;
};

let signatures = 0;
const sign = async (cluster: Cluster, wallet: ApiWallet): Promise<void> => {
  signatures += 1;
  const message = `0x${Buffer.from(`message ${signatures}`).toString("hex")}`;
  const { status } = await cluster.api.sign(wallet.id, { kind: "Message", message });
  if (status !== "Signed") throw new Error(`a signature is ${status}`);
};

const cluster = await startStockedCluster("dying-signers", PER_SET);
try {
  const wallet = await cluster.api.createWallet(cluster.description.chain.network, "dying signers");
  const [alive, dying, back]: [number[], number[], number[]] = [[], [], []];
  for (let at = -WARM_UP; at < DEATHS; at += 1) {
    await untilStocked(cluster);
    const aliveMs = await timed(() => sign(cluster, wallet));
    await untilStocked(cluster);
    const { id } = cluster.description.signers[(at + WARM_UP) % cluster.description.signers.length] ?? {};
    if (id === undefined) throw new Error("there are signers");
    const dyingMs = await timed(() =>
      Promise.all([
        sign(cluster, wallet),
        pause(KILLED_AFTER_MS[(at + WARM_UP) % KILLED_AFTER_MS.length]).then(() => cluster.kill(id)),
      ]),
    );
    const backMs = await timed(async () => {
      await cluster.restart(id);
      await cluster.ready();
    });
    if (at < 0) continue;
    alive.push(aliveMs);
    dying.push(dyingMs);
    back.push(backMs);
  }
  row("", "p50", "p99", "samples");
  show("POST a message → its signature", alive);
  show("the same, and a signer is killed meanwhile", dying);
  row("added, p99 (at most 300 ms)", "", ms(quantile(dying, 0.99) - quantile(alive, 0.99)));
  show("start of a killed signer → all orchestrators use it", back);
  const { pooled, interactive } = (await cluster.stock())?.signed ?? { pooled: 0, interactive: 0 };
  row("signed from the stock / without", `${pooled} / ${interactive}`);
} finally {
  await cluster.stop();
}
