// Measures a synced write to a signer's store: milliseconds, and bytes written to LevelDB. Run alone: node_modules/.bin/tsx
// test/bench/store-writes.ts
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { groupKeysIn } from "../../packages/platform/src/vault/group-keys.ts";
import { openTable } from "../../packages/platform/src/vault/level-table.ts";
import type { Table } from "../../packages/platform/src/vault/table.ts";
import { Vault } from "../../packages/platform/src/vault/vault.ts";
import { Secret } from "../../packages/threshold/src/secret.ts";

const WRITES = 600;
const passphrase = new Secret("5a".repeat(32));
/** as long as a signature's records */
const VALUE = new Secret(new Uint8Array(150));

/** A signer's writes for one signature: a binding, a session id, a tombstone, and its count. */
const signature = (at: number) => {
  const id = at.toString(16).padStart(64, "0");
  const past = ["request", "session", "spent"].map((kind) => ({
    record: `${kind}/${id}`,
    value: VALUE,
    forgetAtMs: 1_000 + at,
  }));
  return { puts: [...past, { record: "spending/1", value: VALUE }], erases: [], sync: true };
};

const counting = (table: Table) => {
  const counts = { bytes: 0 };
  const counted: Table = {
    get: (name) => table.get(name),
    getSync: (name) => table.getSync(name),
    put: (name, value, options) => table.put(name, value, options),
    del: (name, options) => table.del(name, options),
    batch: (changes, options) => {
      for (const change of changes)
        counts.bytes += change.key.length + (change.type === "put" ? change.value.length : 0);
      return table.batch(changes, options);
    },
    iterator: (range) => table.iterator(range),
    close: () => table.close(),
  };
  return { counts, counted };
};

const folder = await mkdtemp(join(tmpdir(), "conclave-bench-"));
try {
  const table = await openTable(folder);
  if (!table.ok) throw new Error(table.problem.message);
  const { counts, counted } = counting(table.value);
  const vault = await Vault.open(counted, passphrase, groupKeysIn(folder));
  if (!vault.ok) throw new Error(vault.problem.message);
  counts.bytes = 0;
  const took: number[] = [];
  const used = process.cpuUsage();
  for (let at = 0; at < WRITES; at++) {
    const began = performance.now();
    await vault.value.batch(signature(at));
    took.push(performance.now() - began);
  }
  const sorted = took.toSorted((one, other) => one - other);
  const { user, system } = process.cpuUsage(used);
  process.stdout.write(
    `the write of a signature: ${sorted[WRITES / 2]?.toFixed(2)} ms (p50), ${(counts.bytes / WRITES).toFixed(0)} bytes, ` +
      `${((user + system) / WRITES).toFixed(0)} µs of CPU\n`,
  );
  await vault.value.close();
} finally {
  await rm(folder, { recursive: true, force: true });
}
