// Quickly writes a store with many old records, in the form that an older version without its list of entries leaves.
import { randomBytes } from "node:crypto";
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { RECORDS } from "../../packages/cluster/src/signer/records/record.ts";
import { configOf, provisionedRecords } from "../../packages/cluster/src/testing/fixtures.ts";
import { leaveOlderStore } from "../../packages/platform/src/testing/older-store.ts";
import { deadlineEntries } from "../../packages/platform/src/vault/deadlines.ts";
import { openTable } from "../../packages/platform/src/vault/level-table.ts";
import { openRecords } from "../../packages/signer/src/records.ts";
import { Secret } from "../../packages/threshold/src/secret.ts";
import { testParty } from "../../packages/threshold/src/testing/insecure-auxiliary.ts";

const PER_WRITE = 5_000;
/** a multiple of the number of kinds, so that all sealed records are bindings of requests */
export const SEALED_EVERY = 300;
/** bytes of a nonce and a tag */
const SEAL_BYTES = 40;
export const MB: number = 1024 * 1024;
const NOW_MS = Date.parse("2026-11-23T00:00:00Z");
const passphrase = new Secret("5a".repeat(32));
export const config = configOf(testParty(1), 3, 2);

const hexOf = (at: number): string => at.toString(16).padStart(64, "0");
const requestOf = (at: number): string =>
  `xfr-${hexOf(at).slice(0, 5)}-${hexOf(at).slice(5, 10)}-${hexOf(at).slice(-16)}`;

/** One value per kind serves all its records: the store seals each separately. */
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

/** The kind of a record cycles: a request's binding, a session id, a tombstone. */
export const pastRecord = (at: number) => {
  const kind = KINDS[at % KINDS.length] ?? "session";
  const id = kind === "request" ? requestOf(at) : hexOf(at);
  return { record: RECORDS[kind].name(id), value: VALUES[kind], forgetAtMs: NOW_MS + at * 1_000 };
};

/** Opens the records of a store, as a signer does. */
export const opened = async (folder: string) => {
  const result = await openRecords(folder, passphrase, new Uint8Array(1), config.reader);
  if (!result.ok) throw new Error(result.problem.message);
  return result.value;
};

/**
 * Writes the live records and this many old ones into a store that its next opening will convert. One in SEALED_EVERY records
 * is sealed and looked up later; the others only have the same length.
 */
export const fill = async (folder: string, count: number): Promise<void> => {
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
  await leaveOlderStore(table.value, passphrase);
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

/** Random values as long, and as incompressible, as the vault's sealed ones. */
const unsealedWrites = ({ record, value, forgetAtMs }: ReturnType<typeof pastRecord>) => [
  { type: "put", key: `record/${record}`, value: randomBytes(SEAL_BYTES + value.reveal().length) } as const,
  ...deadlineEntries(record, { forgetAtMs }),
];

export const sizeOf = async (folder: string): Promise<number> => {
  const sizes = await Promise.all(
    (await readdir(folder)).map(async (name) => (await stat(join(folder, name))).size),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
};
