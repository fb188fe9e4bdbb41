// Measures signatures under a load above the presigning rate, at production parameters, and how soon the stock is full again
// after the load. Run alone, some eight minutes: node_modules/.bin/tsx test/bench/steady-load.ts [SECONDS of load, default 300]

import { type ApiWallet, type Cluster, waitUntil } from "@conclave/testbed";
import { startStockedCluster } from "./stocked-cluster.ts";

const SECONDS = Number(process.argv[2] ?? "300");
const WINDOWS = 5;
const CALLERS = 8;
const PER_SET = 2;
const FULL_MS = 5 * 60_000;
const COLUMN = 14;

const row = (...cells: readonly (string | number)[]): void => {
  process.stdout.write(`${cells.map((cell) => String(cell).padStart(COLUMN)).join("")}\n`);
};

/** Signatures since the start, and ready presignatures. */
const counted = async (cluster: Cluster) => {
  const { signed, ready } = (await cluster.stock()) ?? { signed: { pooled: 0, interactive: 0 }, ready: 0 };
  return { ...signed, ready };
};

const isFull = async (cluster: Cluster): Promise<true | undefined> =>
  (await counted(cluster)).ready >= PER_SET * cluster.description.signers.length ? true : undefined;

const untilFull = async (cluster: Cluster): Promise<number> => {
  const began = performance.now();
  await waitUntil(() => isFull(cluster), { what: "a full stock", deadlineMs: FULL_MS, pollMs: 100 });
  return (performance.now() - began) / 1_000;
};

/** Runs callers that request the next signature as soon as they have one. */
const load = async (cluster: Cluster, wallet: ApiWallet, milliseconds: number): Promise<void> => {
  const ends = performance.now() + milliseconds;
  const call = async (caller: number): Promise<void> => {
    for (let at = 0; performance.now() < ends; at++) {
      const message = `0x${Buffer.from(`${ends} ${caller} ${at}`).toString("hex")}`;
      await cluster.api.sign(wallet.id, { kind: "Message", message });
    }
  };
  await Promise.all(Array.from({ length: CALLERS }, (_, caller) => call(caller)));
};

const cluster = await startStockedCluster("steady-load", PER_SET);
try {
  const wallet = await cluster.api.createWallet(cluster.description.chain.network, "steady load");
  row("", "signatures/s", "from the pool", "ready at end");
  row("full after", `${(await untilFull(cluster)).toFixed(1)} s`);
  const windowMs = (SECONDS * 1_000) / WINDOWS;
  for (let window = 1; window <= WINDOWS; window++) {
    const [before, began] = [await counted(cluster), performance.now()];
    await load(cluster, wallet, windowMs);
    const [after, seconds] = [await counted(cluster), (performance.now() - began) / 1_000];
    const pooled = after.pooled - before.pooled;
    const all = pooled + after.interactive - before.interactive;
    row(
      `${window} of ${WINDOWS}`,
      (all / seconds).toFixed(2),
      `${Math.round((100 * pooled) / Math.max(1, all))} %`,
      after.ready,
    );
  }
  row("full again", `${(await untilFull(cluster)).toFixed(1)} s`);
} finally {
  await cluster.stop();
}
