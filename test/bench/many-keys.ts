// Compares a signer with many keys and many old records with a fresh one: its start, its memory, and its work for a status, a
// page of keys, a signature and a refresh. Writing the store takes a few minutes: node_modules/.bin/tsx test/bench/many-keys.ts
import { fork } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import { LIFE_BYTES } from "../../packages/cluster/src/control/lives.ts";
import type { CallId } from "../../packages/cluster/src/control/session-key.ts";
import type { SignerEffect } from "../../packages/cluster/src/signer/effect.ts";
import {
  adoptNext,
  pendingShareOf,
  withPendingShare,
} from "../../packages/cluster/src/signer/key-change/next-share.ts";
import { heldKeys, rangeFor } from "../../packages/cluster/src/signer/key-holdings.ts";
import { storedKey } from "../../packages/cluster/src/signer/records/key-records.ts";
import { nextIdOf, RECORDS } from "../../packages/cluster/src/signer/records/record.ts";
import { openSigner, signerStatus, stepSigner } from "../../packages/cluster/src/signer/signer.ts";
import type { SignerState } from "../../packages/cluster/src/signer/state.ts";
import {
  authoriseTransfer,
  KEY_ID,
  keyIdOf,
  START_MS,
  transactionOf,
} from "../../packages/cluster/src/testing/fixtures.ts";
import { SESSION_ID_BYTES } from "../../packages/threshold/src/index.ts";
import { testParty } from "../../packages/threshold/src/testing/insecure-auxiliary.ts";
import { config, fill, MB, opened, sizeOf } from "./long-past.ts";

const KEYS = 100_000;
const PAST = 1_000_000;
/** Keys per write; each write rewrites every file of keys. */
const PER_WRITE = 50_000;
/** Repetitions of each measurement; each uses a key that was not read before. */
const TIMES = 60;
const isCall = (text: string): text is CallId => text.length > 0;

type Opened = Awaited<ReturnType<typeof opened>>;

const keyAt = (at: number): string => keyIdOf(1_000 + at);

/** Stores the fixtures' key under this many further names. */
const addKeys = async (folder: string, count: number): Promise<void> => {
  const { vault } = await opened(folder);
  const value = vault.read(RECORDS.key.name(KEY_ID));
  if (value === undefined) throw new Error("the fixtures have a key");
  for (let from = 0; from < count; from += PER_WRITE) {
    const some = Array.from({ length: Math.min(PER_WRITE, count - from) }, (_, at) => keyAt(from + at));
    await vault.batch({
      puts: some.map((id) => ({ record: RECORDS.key.name(id), value })),
      erases: [],
      sync: true,
    });
  }
  await vault.close();
};

/** Performs a signer's writes. */
const write = async ({ vault }: Opened, effects: readonly SignerEffect[]): Promise<void> => {
  for (const effect of effects) {
    if (effect.kind === "batch") await vault.batch(effect);
    else if (effect.kind === "store") await vault.batch({ puts: [effect], erases: [], sync: true });
  }
};

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;

/** The median time of a call, in milliseconds. */
const timed = async (once: (at: number) => unknown): Promise<number> => {
  const took: number[] = [];
  for (let at = 0; at < TIMES; at++) {
    const began = performance.now();
    await once(at);
    took.push(performance.now() - began);
  }
  return median(took);
};

const LIFE = new Uint8Array(LIFE_BYTES);
const LIVES = new Map([testParty(1), testParty(2)].map((party) => [party, LIFE]));

const signing = (keyId: string, at: number) => {
  const call = `call-${at}`;
  if (!isCall(call)) throw new Error("not a call");
  const session = new Uint8Array(randomBytes(SESSION_ID_BYTES));
  const command = {
    kind: "signing",
    quorum: [testParty(1), testParty(2)],
    keyId,
    authorisation: authoriseTransfer(at + 1, keyId),
    unsigned: transactionOf(at),
    presignatures: [],
    dead: undefined,
    expiresAtMs: START_MS + 20_000,
  } as const;
  return { kind: "begin", call, session, lives: LIVES, command } as const;
};

/** Stores a share of the next epoch, and then makes it the active one. */
const refresh = async (store: Opened, state: SignerState, keyId: string): Promise<void> => {
  const key = storedKey(state, keyId);
  if (key === undefined) throw new Error("it holds the key");
  const { scheme, publicKey, chainCode, share } = key;
  const made = { session: "ab".repeat(32), from: 1, epoch: 2, digest: new Uint8Array(32) };
  const record = { version: 1, scheme, publicKey, chainCode, share, ...made } as const;
  const pending = pendingShareOf(state, keyId, record);
  const value = RECORDS.next.write(record);
  await write(store, [{ kind: "store", record: RECORDS.next.name(nextIdOf(keyId, 2)), value }]);
  const waiting = withPendingShare(state, keyId, pending);
  const adopted = adoptNext(waiting, keyId, pending, new Uint8Array(300), {});
  await write(store, adopted.effects);
};

const page = async ({ vault }: Opened, state: SignerState): Promise<number> => {
  const asked = { kind: "page", which: "all", after: undefined, most: 1_000 } as const;
  const { prefix, after, limit } = rangeFor(asked) ?? { prefix: "", after: "", limit: 0 };
  const found = await vault.next(prefix, after, limit);
  if (!found.ok) throw new Error(found.problem.message);
  return heldKeys(state, asked, found.value).keys.length;
};

const figuresSchema = z.object({
  start: z.number(),
  cpu: z.number(),
  grown: z.number(),
  status: z.number(),
  page: z.number(),
  signature: z.number(),
  written: z.number(),
  refresh: z.number(),
  after: z.number(),
});
type Figures = z.infer<typeof figuresSchema>;

/** Measures a signer's work with the store, in a separate process. */
const measure = async (folder: string, count: number): Promise<void> => {
  const before = process.memoryUsage.rss();
  const [began, cpu] = [performance.now(), process.cpuUsage()];
  const store = await opened(folder);
  const { state, effects } = openSigner(config, store.records, store.past.read, LIFE);
  const start = performance.now() - began;
  const { user, system } = process.cpuUsage(cpu);
  const grown = (process.memoryUsage.rss() - before) / MB;
  await write(store, effects);
  const keyOfTurn = (at: number): string => (count === 0 ? KEY_ID : keyAt((at * 7_919) % count));
  const status = await timed(() => signerStatus(state));
  const listed = await timed(() => page(store, state));
  const signature = await timed((at) => stepSigner(state, signing(keyOfTurn(at), at), START_MS));
  const written = await timed((at) => {
    const keyId = keyOfTurn(TIMES + at);
    return write(store, stepSigner(state, signing(keyId, TIMES + at), START_MS).effects);
  });
  const refreshed = await timed((at) => refresh(store, state, keyOfTurn(2 * TIMES + at)));
  const figures: Figures = {
    start,
    cpu: (user + system) / 1_000,
    grown,
    status,
    page: listed,
    signature,
    written,
    refresh: refreshed,
    after: (process.memoryUsage.rss() - before) / MB,
  };
  process.send?.(figures);
  await store.vault.close();
};

const figuresOf = async (folder: string, count: number): Promise<Figures> => {
  const child = fork(import.meta.filename, [folder, String(count)]);
  let said: unknown;
  child.once("message", (message) => {
    said = message;
  });
  await once(child, "exit");
  return figuresSchema.parse(said);
};

const ROWS: readonly (readonly [keyof Figures, string, string])[] = [
  ["start", "start", "ms"],
  ["cpu", "  of it CPU", "ms"],
  ["grown", "memory after the start, more than before", "MB"],
  ["status", "a status", "ms"],
  ["page", "a page of keys, 1000 at most", "ms"],
  ["signature", "a signature begins: lookups and decisions", "ms"],
  ["written", "  the same, with what it writes synced", "ms"],
  ["refresh", "a refresh: the writes of one key", "ms"],
  ["after", "memory after all of it, more than before", "MB"],
];

const main = async (): Promise<void> => {
  const columns: Figures[] = [];
  for (const [keys, past] of [
    [0, 0],
    [KEYS, PAST],
  ] as const) {
    const folder = await mkdtemp(join(tmpdir(), "conclave-bench-"));
    try {
      await fill(folder, past);
      await addKeys(folder, keys);
      const first = await figuresOf(folder, 0); // like the first start after an update: the signer writes its keys' facts
      process.stdout.write(
        `${keys} more keys, ${past} records of the past: ${((await sizeOf(folder)) / MB).toFixed(0)} MB on disk, first start ${(first.start / 1_000).toFixed(1)} s\n`,
      );
      columns.push(await figuresOf(folder, keys));
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }
  const [fresh, full] = columns;
  if (fresh === undefined || full === undefined) throw new Error("both were measured");
  process.stdout.write(`${"".padEnd(46)}${"fresh".padStart(9)}${"full".padStart(9)}\n`);
  for (const [name, words, unit] of ROWS) {
    const [one, other] = [fresh[name].toFixed(2), full[name].toFixed(2)];
    process.stdout.write(`${words.padEnd(46)}${one.padStart(9)}${other.padStart(9)} ${unit}\n`);
  }
};

const [folder, count] = process.argv.slice(2);
await (folder === undefined ? main() : measure(folder, Number(count)));
