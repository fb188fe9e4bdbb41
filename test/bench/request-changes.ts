// Compares two ways to change a chain request, by a transaction that locks its row, and by a commit at the version that was
// read: round trips to PostgreSQL on this machine, and milliseconds. Some seconds: node_modules/.bin/tsx
// test/bench/request-changes.ts
import { type ChainRequestEvent, newWebhook, organisationIdSchema, webhookIdSchema } from "@conclave/custody";
import {
  changeChainRequest,
  commitRequest,
  type Database,
  insertChainRequest,
  insertOrganisation,
  insertWebhook,
  lockChainRequest,
  migrate,
  openDatabase,
  readVersionedRequest,
} from "@conclave/platform";
import { startPostgresServer, startSilentProxy } from "@conclave/platform/testing";
import { processWorld } from "@conclave/platform/world";
import { sampleTransfer } from "../../packages/platform/src/testing/sample-requests.ts";
import { sampleWallet, storeWallet } from "../../packages/platform/src/testing/sample-wallet.ts";

const WARM_UP = 200;
const RUNS = 2_000;
const NAME = 44;
const COLUMN = 14;
const DATE = "2026-01-02T03:04:05.678Z";

const orgId = processWorld.freshId(organisationIdSchema, "or");
const wallet = sampleWallet(orgId);
const transfer = sampleTransfer(wallet);
const INCLUSION = { fee: "1", blockNumber: 1n, blockHash: "0x01" };

/** The changes that are repeated in turn. */
const SILENT: readonly ChainRequestEvent[] = [
  { kind: "Waiting", reason: "one" },
  { kind: "Waiting", reason: "another" },
];
const LOUD: readonly ChainRequestEvent[] = [
  { kind: "Confirmed", date: DATE, ...INCLUSION },
  { kind: "Reorganised", date: DATE },
];

const underLock = (database: Database, event: ChainRequestEvent): Promise<unknown> =>
  database.transaction(async (connection) => {
    const request = await lockChainRequest(connection, transfer.id);
    if (request === undefined) throw new Error("the request is gone");
    const changed = await changeChainRequest(connection, request, event);
    if (!changed.ok) throw new Error(changed.problem.message);
  });

const readAndCommitted = async (database: Database, event: ChainRequestEvent): Promise<number> => {
  const seen = await readVersionedRequest(database, transfer.id);
  if (seen === undefined) throw new Error("the request is gone");
  const began = performance.now();
  const { kind } = await commitRequest(database, seen, event);
  if (kind !== "committed") throw new Error(kind);
  return performance.now() - began;
};

/** @returns the measured milliseconds */
type Change = (database: Database, event: ChainRequestEvent) => Promise<number>;

const timed =
  (change: (database: Database, event: ChainRequestEvent) => Promise<unknown>): Change =>
  async (database, event) => {
    const began = performance.now();
    await change(database, event);
    return performance.now() - began;
  };

const CHANGES: readonly (readonly [name: string, change: Change, reads: number])[] = [
  ["a transaction with the row's lock", timed(underLock), 0],
  ["read, and committed", timed(readAndCommitted), 0],
  ["committed, at a version that is known", readAndCommitted, 1],
];

const server = await startPostgresServer();
const { url } = await server.createDatabase();
const proxy = await startSilentProxy(url);
const database = openDatabase({ url, name: "bench", maxConnections: 1 });
const counted = openDatabase({ url: proxy.url, name: "counted", maxConnections: 1 });

const row = (name: string, ...cells: readonly string[]): void => {
  process.stdout.write(`${name.padEnd(NAME)}${cells.map((cell) => cell.padStart(COLUMN)).join("")}\n`);
};

const measure = async (change: Change, events: readonly ChainRequestEvent[]): Promise<readonly number[]> => {
  const took: number[] = [];
  for (let run = 0; run < WARM_UP + RUNS; run += 1) {
    const event = events[run % events.length];
    if (event !== undefined) took.push(await change(database, event));
  }
  return took.slice(WARM_UP).sort((one, other) => one - other);
};

const roundTrips = async (change: Change, events: readonly ChainRequestEvent[]): Promise<number> => {
  await counted.execute("select 1");
  const before = proxy.answers();
  for (const event of events) await change(counted, event);
  return (proxy.answers() - before) / events.length;
};

try {
  await migrate(database);
  await insertOrganisation(database, { id: orgId, name: "Acme", dateCreated: DATE });
  await storeWallet(database, wallet);
  const ids = { id: processWorld.freshId(webhookIdSchema, "wh"), orgId };
  const body = { url: "https://example.com", events: ["*" as const], status: "Enabled" as const };
  await insertWebhook(database, newWebhook(ids, body, DATE), new Uint8Array(1));
  await insertChainRequest(database, transfer);
  for (const [title, status, events] of [
    ["a change that nobody is told of", "Executing", SILENT],
    ["a change with its event and one webhook", "Broadcasted", LOUD],
  ] as const) {
    const signed = "unsigned_transaction = '\\x02', signed_transaction = '\\x04', tx_hash = '0x01'";
    await database.execute(`update chain_requests set status = '${status}', ${signed}`);
    row(title, "round trips", "p50 ms", "p99 ms");
    for (const [name, change, reads] of CHANGES) {
      const trips = (await roundTrips(change, events)) - reads;
      const took = await measure(change, events);
      const at = (share: number): string =>
        (took[Math.floor(share * (took.length - 1))] ?? Number.NaN).toFixed(2);
      row(`  ${name}`, trips.toString(), at(0.5), at(0.99));
    }
  }
} finally {
  await counted.close();
  await database.close();
  await proxy.stop();
  await server.stop();
}
