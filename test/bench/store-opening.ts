// What a signer's start costs with a long past: seconds, and what its memory grows by. Part of `make bench`; by itself:
// node_modules/.bin/tsx test/bench/store-opening.ts
import { fork } from "node:child_process";
import { mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { RECORDS } from "../../packages/cluster/src/signer/records/record.ts";
import { openSigner } from "../../packages/cluster/src/signer/signer.ts";
import { configOf, provisionedRecords } from "../../packages/cluster/src/testing/fixtures.ts";
import { openRecords } from "../../packages/signer/src/records.ts";
import { Secret } from "../../packages/threshold/src/secret.ts";
import { testParty } from "../../packages/threshold/src/testing/insecure-auxiliary.ts";

/** Of each three: a request's binding, a session id, a tombstone. */
const RECORDS_OF_THE_PAST = 1_000_000;
const PER_WRITE = 5_000;
const LOOKUPS = 2_000;
const MB = 1024 * 1024;
const NOW_MS = Date.parse("2026-11-23T00:00:00Z");
const passphrase = new Secret("5a".repeat(32));
const config = configOf(testParty(1), 3, 2);

const hexOf = (at: number): string => at.toString(16).padStart(64, "0");
const requestOf = (at: number): string =>
  `xfr-${hexOf(at).slice(0, 5)}-${hexOf(at).slice(5, 10)}-${hexOf(at).slice(-16)}`;

/** One value of each kind serves all records of the kind: the store seals each by itself. */
const VALUES = {
  request: RECORDS.request.write({
    version: 2,
    network: "EthereumSepolia",
    transactions: [{ exclusion: new Uint8Array(8), digests: [hexOf(1)] }],
    forgetAtMs: NOW_MS,
  }),
  session: RECORDS.session.write({ version: 1, forgetAtMs: NOW_MS }),
  spent: RECORDS.spent.write({
    version: 2,
    digest: new Uint8Array(32),
    session: hexOf(1),
    keyId: "key-00000-00000-0000000000000001",
    requestId: requestOf(1),
    spentAtMs: NOW_MS,
    forgetAtMs: NOW_MS,
  }),
} as const;
const KINDS = ["request", "session", "spent"] as const;

const pastRecord = (at: number) => {
  const kind = KINDS[at % KINDS.length] ?? "session";
  const id = kind === "request" ? requestOf(at) : hexOf(at);
  return { record: RECORDS[kind].name(id), value: VALUES[kind], forgetAtMs: NOW_MS + at * 1_000 };
};

const opened = async (folder: string) => {
  const result = await openRecords(folder, passphrase, config.reader);
  if (!result.ok) throw new Error(result.problem.message);
  return result.value;
};

const fill = async (folder: string, count: number): Promise<void> => {
  const { vault } = await opened(folder);
  const live = [...(provisionedRecords(3, 2).get(testParty(1)) ?? [])];
  await vault.batch({ puts: live.map(([record, value]) => ({ record, value })), erases: [], sync: true });
  for (let from = 0; from < count; from += PER_WRITE) {
    const puts = Array.from({ length: Math.min(PER_WRITE, count - from) }, (_, at) => pastRecord(from + at));
    await vault.batch({ puts, erases: [], sync: false });
  }
  await vault.close();
};

const sizeOf = async (folder: string): Promise<number> => {
  const sizes = await Promise.all(
    (await readdir(folder)).map(async (name) => (await stat(join(folder, name))).size),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
};

/** In a process of its own: opens the store as a signer does, then looks some of the past up. */
const measure = async (folder: string): Promise<void> => {
  const before = process.memoryUsage.rss();
  const began = performance.now();
  const cpu = process.cpuUsage();
  const { vault, records, past } = await opened(folder);
  openSigner(config, records, past.read);
  const seconds = (performance.now() - began) / 1_000;
  const { user, system } = process.cpuUsage(cpu);
  const cpuSeconds = (user + system) / 1_000_000;
  const grown = (process.memoryUsage.rss() - before) / MB;
  const reading = performance.now();
  for (let at = 0; at < LOOKUPS; at++)
    past.read(RECORDS.request.name(requestOf(((at * 7_919) % 300_000) * 3)));
  const microseconds = ((performance.now() - reading) / LOOKUPS) * 1_000;
  const looked = (process.memoryUsage.rss() - before) / MB;
  process.send?.({ seconds, cpuSeconds, grown, microseconds, looked });
  await vault.close();
};

const main = async (): Promise<void> => {
  process.stdout.write("A signer's start with a long past (budget 3 s, 150 MB)\n");
  for (const count of [0, RECORDS_OF_THE_PAST]) {
    const folder = await mkdtemp(join(tmpdir(), "conclave-bench-"));
    try {
      await fill(folder, count);
      const disk = (await sizeOf(folder)) / MB;
      const child = fork(import.meta.filename, [folder]);
      const [figures] = await new Promise<Record<string, number>[]>((resolve) =>
        child.once("message", (said) => resolve([said as Record<string, number>])),
      );
      await new Promise((resolve) => child.once("exit", resolve));
      const { seconds = 0, cpuSeconds = 0, grown = 0, microseconds = 0, looked = 0 } = figures ?? {};
      process.stdout.write(
        `${String(count).padStart(8)} records  ${disk.toFixed(0).padStart(4)} MB on disk  opened in ${seconds.toFixed(2)} s (${cpuSeconds.toFixed(2)} s of CPU), +${grown.toFixed(0)} MB;  ` +
          `a lookup ${microseconds.toFixed(0)} µs, +${looked.toFixed(0)} MB after ${LOOKUPS}\n`,
      );
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }
};

const [folder] = process.argv.slice(2);
await (folder === undefined ? main() : measure(folder));
