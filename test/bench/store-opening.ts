// Measures a signer's start with many old records: seconds, and growth of memory. Part of `make bench`; alone:
// node_modules/.bin/tsx test/bench/store-opening.ts
import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import { LIFE_BYTES } from "../../packages/cluster/src/control/lives.ts";
import { openSigner } from "../../packages/cluster/src/signer/signer.ts";
import type { Vault } from "../../packages/platform/src/vault/vault.ts";
import { config, fill, MB, opened, pastRecord, SEALED_EVERY, sizeOf } from "./long-past.ts";

/** Number of old records: in turn a request's binding, a session id, a tombstone. */
const RECORDS_OF_THE_PAST = 1_000_000;
const LOOKUPS = 2_000;
const MS = 1_000;

/** Verifies the whole store, with no other work. @returns seconds */
const checking = async (vault: Vault): Promise<number> => {
  const began = performance.now();
  for await (const _ of vault.check());
  return (performance.now() - began) / MS;
};

/** In a separate process, opens the store like a signer, and then looks up some old records. */
const measure = async (folder: string): Promise<void> => {
  const before = process.memoryUsage.rss();
  const began = performance.now();
  const cpu = process.cpuUsage();
  const { vault, records, past } = await opened(folder);
  openSigner(config, records, past.read, new Uint8Array(LIFE_BYTES));
  const seconds = (performance.now() - began) / 1_000;
  const { user, system } = process.cpuUsage(cpu);
  const cpuSeconds = (user + system) / 1_000_000;
  const grown = (process.memoryUsage.rss() - before) / MB;
  const reading = performance.now();
  for (let at = 0; at < LOOKUPS; at++) past.read(pastRecord(((at * 7_919) % LOOKUPS) * SEALED_EVERY).record);
  const microseconds = ((performance.now() - reading) / LOOKUPS) * 1_000;
  const looked = (process.memoryUsage.rss() - before) / MB;
  const checkSeconds = await checking(vault);
  process.send?.({ seconds, cpuSeconds, grown, microseconds, looked, checkSeconds });
  await vault.close();
};

const figuresSchema = z.object({
  seconds: z.number(),
  cpuSeconds: z.number(),
  grown: z.number(),
  microseconds: z.number(),
  looked: z.number(),
  checkSeconds: z.number(),
});

const figuresOf = async (folder: string) => {
  const child = fork(import.meta.filename, [folder]);
  let said: unknown;
  child.once("message", (message) => {
    said = message;
  });
  await once(child, "exit");
  return figuresSchema.parse(said);
};

const main = async (): Promise<void> => {
  process.stdout.write("A signer's start with a long past (budget 3 s, 150 MB)\n");
  for (const count of [0, RECORDS_OF_THE_PAST]) {
    const folder = await mkdtemp(join(tmpdir(), "conclave-bench-"));
    try {
      await fill(folder, count);
      const begun = performance.now();
      await (await opened(folder)).vault.close();
      const takenOver = (performance.now() - begun) / MS;
      const disk = (await sizeOf(folder)) / MB;
      const { seconds, cpuSeconds, grown, microseconds, looked, checkSeconds } = await figuresOf(folder);
      process.stdout.write(
        `${String(count).padStart(8)} records  ${disk.toFixed(0).padStart(4)} MB on disk  opened in ${seconds.toFixed(2)} s (${cpuSeconds.toFixed(2)} s of CPU), +${grown.toFixed(0)} MB;  ` +
          `a lookup ${microseconds.toFixed(0)} µs, +${looked.toFixed(0)} MB after ${LOOKUPS};  ` +
          `all compared in ${checkSeconds.toFixed(1)} s;  taken over in ${takenOver.toFixed(1)} s\n`,
      );
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }
};

const [folder] = process.argv.slice(2);
await (folder === undefined ? main() : measure(folder));
