// What a signer's start costs with a long past: seconds, and what its memory grows by. Part of `make bench`; by itself:
// node_modules/.bin/tsx test/bench/store-opening.ts
import { fork } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import { RECORDS } from "../../packages/cluster/src/signer/records/record.ts";
import { openSigner } from "../../packages/cluster/src/signer/signer.ts";
import { configOf, provisionedRecords } from "../../packages/cluster/src/testing/fixtures.ts";
import { deadlineEntries } from "../../packages/platform/src/vault/deadlines.ts";
import { openTable } from "../../packages/platform/src/vault/table.ts";
import { openRecords } from "../../packages/signer/src/records.ts";
import { Secret } from "../../packages/threshold/src/secret.ts";
import { testParty } from "../../packages/threshold/src/testing/insecure-auxiliary.ts";

/** Of each three: a request's binding, a session id, a tombstone. */
const RECORDS_OF_THE_PAST = 1_000_000;
const PER_WRITE = 5_000;
const LOOKUPS = 2_000;
/** a multiple of the number of kinds, so that what is sealed is bindings of requests */
const SEALED_EVERY = 300;
/** a nonce and a tag */
const SEAL_BYTES = 40;
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

/** The live records, and so much of the past: of each SEALED_EVERY records one is sealed and looked up later, the rest is as long. */
const fill = async (folder: string, count: number): Promise<void> => {
  const { vault } = await opened(folder);
  const live = [...(provisionedRecords(3, 2).get(testParty(1)) ?? [])];
  const sealed = Array.from({ length: Math.ceil(count / SEALED_EVERY) }, (_, at) =>
    pastRecord(at * SEALED_EVERY),
  );
  const puts = [...live.map(([record, value]) => ({ record, value })), ...sealed];
  await vault.batch({ puts, erases: [], sync: true });
  await vault.close();
  const table = await openTable(folder);
  if (!table.ok) throw new Error(table.problem.message);
  for (let from = 0; from < count; from += PER_WRITE) {
    const rest = Array.from({ length: Math.min(PER_WRITE, count - from) }, (_, at) => from + at);
    const changes = rest
      .filter((at) => at % SEALED_EVERY > 0)
      .map(pastRecord)
      .flatMap(unsealedWrites);
    await table.value.batch(changes, { sync: false });
  }
  await table.value.close();
};

/** As long as what the vault writes for a record, and as little to be compressed. */
const unsealedWrites = ({ record, value, forgetAtMs }: ReturnType<typeof pastRecord>) => [
  { type: "put", key: `record/${record}`, value: randomBytes(SEAL_BYTES + value.reveal().length) } as const,
  ...deadlineEntries(record, { forgetAtMs }),
];

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
  for (let at = 0; at < LOOKUPS; at++) past.read(pastRecord(((at * 7_919) % LOOKUPS) * SEALED_EVERY).record);
  const microseconds = ((performance.now() - reading) / LOOKUPS) * 1_000;
  const looked = (process.memoryUsage.rss() - before) / MB;
  process.send?.({ seconds, cpuSeconds, grown, microseconds, looked });
  await vault.close();
};

const figuresSchema = z.object({
  seconds: z.number(),
  cpuSeconds: z.number(),
  grown: z.number(),
  microseconds: z.number(),
  looked: z.number(),
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
      const disk = (await sizeOf(folder)) / MB;
      const { seconds, cpuSeconds, grown, microseconds, looked } = await figuresOf(folder);
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
