// Restores the cluster that version 0.1 left (test/vectors/cluster-0.1) into an empty folder, from which the testbed starts it.
import { sign, X509Certificate } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import {
  type Database,
  groupKeysIn,
  loadPassphrase,
  loadSigningKey,
  makeCertificateAuthority,
  makeLeaf,
  openDatabase,
  openTable,
  type Role,
  Vault,
} from "@conclave/platform";
import {
  type Cluster,
  createCluster,
  repositoryRoot,
  type StateLayout,
  withDatabaseAlone,
} from "@conclave/testbed";
import { partyIndex, Secret } from "@conclave/threshold";
import { z } from "zod";
import { recordsOf } from "../known-secrets.ts";
import type { Fixture, Manifest, Table } from "./kept-cluster.ts";

const DAY_MS = 86_400_000;
/** Time since the cluster stopped: an hour, after which its authorisations have expired until the gateway signs them anew. */
const AWAY_MS = DAY_MS / 24;
/** Block time that keeps all transactions waiting until the speed-up is out. */
const NO_BLOCKS_SECONDS = DAY_MS / 1_000;
const OWNER_ONLY_FOLDER = 0o700;
/** A ready presignature; it is sealed under a key of its epoch. */
const readySchema = z.object({
  state: z.literal("ready"),
  keyId: z.string(),
  epoch: z.int(),
  auxiliaryEpoch: z.int(),
});

const restoreFiles = (layout: StateLayout, { files, chain }: Fixture): void => {
  for (const [path, { mode, base64 }] of Object.entries(files)) {
    const file = join(layout.root, path);
    mkdirSync(dirname(file), { recursive: true, mode: OWNER_ONLY_FOLDER });
    writeFileSync(file, Buffer.from(base64, "base64"), { mode: Number.parseInt(mode, 8) });
  }
  for (const folder of [layout.chain, layout.logs]) mkdirSync(folder, { mode: OWNER_ONLY_FOLDER });
  writeFileSync(join(layout.chain, "state.json"), chain);
};

const passphraseIn = async (folder: string): Promise<Secret<string>> => {
  const passphrase = await loadPassphrase({ keyFile: join(folder, "passphrase.key") });
  if (!passphrase.ok) throw new Error(passphrase.problem.message);
  return passphrase.value;
};
const indices = ({ shape }: Pick<Manifest, "shape">): readonly number[] =>
  Array.from({ length: shape.signers }, (_, at) => at + 1);

const isValidNow = (file: string): boolean => {
  const { validFrom, validTo } = new X509Certificate(readFileSync(file));
  return Date.parse(validFrom) <= Date.now() && Date.now() + DAY_MS < Date.parse(validTo);
};

/**
 * Issues new certificates from a new authority to the same members, because the old authority's key was never saved. Nothing
 * else depends on the old ones; identities, shares and passphrases stay.
 */
const renewCertificates = async (layout: StateLayout, manifest: Manifest): Promise<void> => {
  const now = new Date();
  const authority = await makeCertificateAuthority(manifest.clusterId, now);
  const renew = async (folder: string, role: Role, hosts: readonly string[]): Promise<void> => {
    const leaf = await makeLeaf(authority, { role, passphrase: await passphraseIn(folder), now, hosts });
    writeFileSync(join(folder, "tls.crt"), leaf.certificate);
    writeFileSync(join(folder, "tls.key"), leaf.key);
  };
  writeFileSync(layout.ca, authority.certificate);
  await renew(layout.orchestrator, { kind: "orchestrator" }, []);
  for (const number of indices(manifest)) {
    const index = partyIndex(number);
    if (index === undefined) throw new Error(`${number} is no party index`);
    await renew(layout.signer(number), { kind: "signer", index }, [`signer-${number}`]);
  }
};

/** Keeps the members in the order of the text. */
const membersSchema = z.record(z.string(), z.unknown());

/**
 * Moves the dates in the authority's statements forward, because signers refuse requests older than 90 days. Otherwise the text
 * stays as 0.1 wrote it; it is signed again with the gateway's authority key.
 */
const moveAuthorisations = async (
  layout: StateLayout,
  tables: readonly Table[],
  byMs: number,
): Promise<readonly Table[]> => {
  const passphrase = await passphraseIn(layout.gateway);
  const key = loadSigningKey(readFileSync(join(layout.gateway, "authority.key"), "utf8"), passphrase);
  if (!key.ok) throw new Error(key.problem.message);
  const moved = (date: unknown): string => new Date(Date.parse(z.string().parse(date)) + byMs).toISOString();
  const bytea = (bytes: Uint8Array): string => `\\x${Buffer.from(bytes).toString("hex")}`;
  return tables.map((table) => {
    const names = table.columns.map(({ name }) => name);
    const [payloadAt, signatureAt] = [
      names.indexOf("authorisation"),
      names.indexOf("authorisation_signature"),
    ];
    if (payloadAt < 0 || signatureAt < 0) return table;
    const rows = table.rows.map((row) => {
      const old = row[payloadAt];
      if (old === null || old === undefined) return row;
      const asked = membersSchema.parse(JSON.parse(Buffer.from(old.slice(2), "hex").toString("utf8")));
      const decided = membersSchema.parse(asked["policy"]);
      const policy = { ...decided, date: moved(decided["date"]) };
      const later = { ...asked, policy, dateRequested: moved(asked["dateRequested"]) };
      const payload = Buffer.from(JSON.stringify(later), "utf8");
      return row.with(payloadAt, bytea(payload)).with(signatureAt, bytea(sign(null, payload, key.value)));
    });
    return { ...table, rows };
  });
};

/**
 * Moves all times in a signer's records (…AtMs) forward, because presignatures expire after a day, and the account nonces of
 * requests after 90 days. Otherwise the records stay as 0.1 wrote them.
 */
const moveRecords = async (folder: string, byMs: number): Promise<void> => {
  const table = await openTable(join(folder, "vault"));
  if (!table.ok) throw new Error(table.problem.message);
  const vault = await Vault.open(table.value, await passphraseIn(folder), groupKeysIn(join(folder, "vault")));
  if (!vault.ok) throw new Error(vault.problem.message);
  try {
    const records = await vault.value.list();
    if (!records.ok) throw new Error(records.problem.message);
    const puts = records.value.map(({ record, value }) => {
      const text = Buffer.from(value.reveal()).toString("utf8");
      const moved = JSON.parse(text, (name, it: unknown) =>
        /AtMs$/.test(name) && typeof it === "number" ? it + byMs : it,
      );
      const ready = readySchema.safeParse(moved).data;
      const group = ready && `${ready.keyId}/${ready.epoch}/${ready.auxiliaryEpoch}`;
      const put = { record, value: new Secret(new Uint8Array(Buffer.from(JSON.stringify(moved), "utf8"))) };
      return group === undefined ? put : { ...put, group };
    });
    await vault.value.batch({ puts, erases: [], sync: true });
  } finally {
    await vault.value.close();
  }
};

const withDatabase = (
  layout: StateLayout,
  shape: Manifest["shape"],
  work: (database: Database) => Promise<void>,
): Promise<void> =>
  withDatabaseAlone({ state: layout.root, ...shape }, async (url) => {
    const database = openDatabase({ url, name: "restore" });
    try {
      await work(database);
    } finally {
      await database.close();
    }
  });

const MIGRATIONS = join(repositoryRoot(), "packages/platform/src/postgres/migrations");

/** Creates the tables of 0.1: applies exactly the migrations that its own list names. */
const migrateAsThen = async (database: Database, tables: readonly Table[]): Promise<void> => {
  const applied =
    tables.find(({ table }) => table === "schema_migrations")?.rows.map(([name]) => name ?? "") ?? [];
  const names = readdirSync(MIGRATIONS)
    .filter((name) => applied.includes(name))
    .sort();
  if (names.length !== applied.length || names.length === 0) throw new Error("migrations of 0.1 are missing");
  await database.transaction(async (connection) => {
    await connection.execute(
      "create table schema_migrations (name text primary key, date_applied timestamptz not null)",
    );
    for (const name of names) await connection.execute(readFileSync(join(MIGRATIONS, name), "utf8"));
  });
};

const TIME = "timestamp with time zone";
const seconds = (ms: number): string => `make_interval(secs => ${ms / 1_000})`;

/** Inserts all rows of a table in one statement, because some refer to each other; all times are moved forward by `byMs`. */
const insertRows = async (
  database: Database,
  { table, columns, rows, sequence }: Table,
  byMs: number,
): Promise<void> => {
  const names = columns.map(({ name }) => `"${name}"`).join(", ");
  const value = (type: string, at: number): string =>
    type === TIME ? `$${at}::${type} + ${seconds(byMs)}` : `$${at}::${type}`;
  const lines = rows.map((_, row) =>
    columns.map(({ type }, at) => value(type, row * columns.length + at + 1)).join(", "),
  );
  if (rows.length > 0) {
    const values = lines.map((line) => `(${line})`).join(",\n");
    await database.execute(
      `insert into ${table} (${names}) overriding system value values ${values}`,
      rows.flat(),
    );
  }
  if (sequence === undefined) return;
  const { column, last, isCalled } = sequence;
  const set = "select setval(pg_get_serial_sequence($1, $2), $3::bigint, $4::boolean)";
  await database.execute(set, [table, column, last, isCalled]);
};

/** Reads a table's rows in the fixture's form; all times are moved back by `byMs`. */
const readRows = async (
  database: Database,
  { table, columns }: Pick<Table, "table" | "columns">,
  byMs = 0,
): Promise<Table["rows"]> => {
  const text = ({ name, type }: Table["columns"][number]): string =>
    type === TIME ? `("${name}" - ${seconds(byMs)})::text` : `"${name}"::text`;
  const found = await database.rows(
    z.object({ line: z.array(z.string().nullable()) }),
    `select json_build_array(${columns.map(text).join(", ")}) as line from ${table} t order by t::text`,
  );
  return found.map(({ line }) => line);
};

/** The rows with some columns replaced. */
const withColumns = (
  table: Table,
  replaced: Readonly<Record<string, (row: Table["rows"][number]) => string>>,
): Table => {
  const at = (name: string): number => table.columns.findIndex((column) => column.name === name);
  const change = (row: Table["rows"][number]) =>
    Object.entries(replaced).reduce((changed, [name, value]) => changed.with(at(name), value(row)), row);
  return { ...table, rows: table.rows.map(change) };
};

/**
 * Points the webhooks to this test's receivers, because the old ports may belong to anybody now, and makes all waiting
 * deliveries due at once.
 */
const withWebhooksAt = (
  tables: readonly Table[],
  { webhooks, dateSaved }: Manifest,
  urls: RestoreOptions["webhooks"],
): readonly Table[] => {
  // in PostgreSQL's text form
  const due = `${dateSaved.slice(0, "2026-11-22T06:32:45".length).replace("T", " ")}+00`;
  return tables.map((table) => {
    if (table.table === "webhook_deliveries") return withColumns(table, { date_due: () => due });
    if (table.table !== "webhooks") return table;
    return withColumns(table, { url: (row) => (row.includes(webhooks.all.id) ? urls.all : urls.failing) });
  });
};

export interface RestoreOptions {
  /** URL of each webhook's receiver */
  readonly webhooks: Readonly<Record<keyof Manifest["webhooks"], string>>;
  /**
   * "as stored": all times as 0.1 left them; signers accept its requests for 90 days, and use its presignatures for one;
   * "moved": all times as if the cluster had stopped an hour ago
   */
  readonly dates: "as stored" | "moved";
  /** issues new certificates even if the old ones are valid */
  readonly renew?: boolean;
}

/** Restores the state of 0.1 into an empty folder, from which createCluster can start it. */
export const restoreCluster = async (
  layout: StateLayout,
  fixture: Fixture,
  { webhooks, dates, renew = false }: RestoreOptions,
): Promise<void> => {
  const { manifest } = fixture;
  restoreFiles(layout, fixture);
  const members = [layout.orchestrator, ...indices(manifest).map((index) => layout.signer(index))];
  const certificates = [layout.ca, ...members.map((folder) => join(folder, "tls.crt"))];
  if (renew || !certificates.every(isValidNow)) await renewCertificates(layout, manifest);
  const byMs = dates === "moved" ? Date.now() - AWAY_MS - Date.parse(manifest.dateSaved) : 0;
  let tables = withWebhooksAt(fixture.tables, manifest, webhooks);
  if (byMs !== 0) {
    for (const index of indices(manifest)) await moveRecords(layout.signer(index), byMs);
    tables = await moveAuthorisations(layout, tables, byMs);
  }
  await withDatabase(layout, manifest.shape, async (database) => {
    await migrateAsThen(database, tables);
    for (const table of tables) await insertRows(database, table, byMs);
    for (const table of tables) {
      const sorted = (rows: Table["rows"]) => rows.map((row) => JSON.stringify(row)).sort();
      const isSame = sorted(await readRows(database, table, byMs)).join() === sorted(table.rows).join();
      if (!isSame) throw new Error(`${table.table} is not as it was`);
    }
  });
};

/** Starts the restored cluster. No block is made until chain.releaseBlocks(). */
export const startRestored = (layout: StateLayout, { shape }: Manifest): Promise<Cluster> =>
  createCluster({
    state: layout.root,
    ...shape,
    presignatures: 2,
    requestsPerMinute: 0,
    blockTimeSeconds: NO_BLOCKS_SECONDS,
  });

/** Which presignatures of 0.1 a stopped cluster has spent, and which it has kept. */
export const fatesOfPresignatures = async (
  layout: StateLayout,
  { shape, presignatures }: Manifest,
): Promise<{ readonly spent: readonly string[]; readonly kept: readonly string[] }> => {
  const stores = await Promise.all(indices({ shape }).map((index) => recordsOf(layout.signer(index))));
  const names = new Set(stores.flatMap((records) => records.map(({ record }) => record)));
  const ids = presignatures.map(({ id }) => id);
  return {
    spent: ids.filter((id) => names.has(`spent/${id}`)),
    kept: [...names].filter((name) => name.startsWith("presignature/")),
  };
};
