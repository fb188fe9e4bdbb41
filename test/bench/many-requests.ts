// Measures the database statements of a request with 100 000 keys and 1 000 000 past requests, half of them of one wallet,
// compared with an empty database. Filling the tables takes some minutes: node_modules/.bin/tsx test/bench/many-requests.ts
// [REQUESTS]
import { randomUUID } from "node:crypto";
import { type ChainWallet, isChainWallet, organisationIdSchema, transferIdSchema } from "@conclave/custody";
import {
  claimDue,
  type Database,
  finishClaim,
  hasSignedDigest,
  highestSequence,
  listAliveTransactions,
  listFollowed,
  listHistory,
  listTransfers,
  migrate,
  networksSignedFor,
  openDatabase,
  otherIsSameBytes,
  readChainRequest,
  readWallet,
  readWalletLine,
} from "@conclave/platform";
import { startPostgresServer } from "@conclave/platform/testing";
import { processWorld } from "@conclave/platform/world";
import { z } from "zod";
import { sampleWallet, storeWallet } from "../../packages/platform/src/testing/sample-wallet.ts";

const REQUESTS = Number(process.argv[2] ?? "1000000");
const TIMES = 60;
const PAGE = { limit: 20, after: undefined };
const DATE = "2026-01-02T03:04:05.678Z";
const COLUMN = 16;
const NAME = 34;

const orgId = processWorld.freshId(organisationIdSchema, "or");
const created = sampleWallet(orgId);
const { id: walletId, keyId, network } = created;
const ADDRESS = `0x${"5a".repeat(20)}`;

const nameSchema = z.object({ names: z.string() });

/** The writable columns of a table. */
const columnsOf = async (database: Database, table: string): Promise<string> => {
  const [row] = await database.rows(
    nameSchema,
    `select string_agg(column_name, ', ') as names from information_schema.columns
     where table_name = $1 and is_generated = 'NEVER'`,
    [table],
  );
  return row?.names ?? "";
};

/** @returns the wallet with half of the requests */
const fill = async (database: Database, requests: number): Promise<ChainWallet> => {
  const keys = Math.max(1, requests / 10);
  await database.execute("insert into organisations (id, name, date_created) values ($1, 'Acme', $2)", [
    orgId,
    DATE,
  ]);
  await storeWallet(database, created);
  await database.execute("update keys set status = 'Active', public_key = $2 where id = $1", [
    keyId,
    "02".repeat(33),
  ]);
  await database.execute("update wallets set status = 'Active', address = $2 where id = $1", [
    walletId,
    ADDRESS,
  ]);
  const [ofKeys, ofWallets] = [await columnsOf(database, "keys"), await columnsOf(database, "wallets")];
  await database.session(async (session) => {
    await session.execute(
      `insert into keys (${ofKeys}) select ${ofKeys} from (select (k).* from (
         select jsonb_populate_record(keys, jsonb_build_object('id', 'key-00000-00000-' || lpad(n::text, 16, '0'), 'public_key', md5(n::text))) as k
         from keys, generate_series(1, $2::int) n where keys.id = $1) made) rows`,
      [keyId, keys],
    );
    await session.execute(
      `insert into wallets (${ofWallets}) select ${ofWallets} from (select (w).* from (
         select jsonb_populate_record(wallets, jsonb_build_object('id', 'wa-00000-00000-' || lpad(n::text, 16, '0'), 'key_id', 'key-00000-00000-' || lpad(n::text, 16, '0'),
           'address', '0x' || md5(n::text), 'external_id', null)) as w
         from wallets, generate_series(1, $2::int) n where wallets.id = $1) made) rows`,
      [walletId, keys],
    );
    await session.execute(
      `insert into chain_requests (id, kind, org_id, wallet_id, network, requester, request_body, metadata, status, policy_decision,
         authorisation, authorisation_signature, sequence, unsigned_transaction, signed_transaction, tx_hash, block_number,
         block_hash, fee, date_requested, date_confirmed, date_settled)
       select 'xfr-00000-00000-' || lpad(n::text, 16, '0'), 'Transfer', $1, case when n % 2 = 0 then $2 else 'wa-00000-00000-' || lpad((1 + n % $3::int)::text, 16, '0') end, $4,
         '{"userId":"us-00000-00000-00000000000001"}', jsonb_build_object('kind', 'Native', 'to', '0x' || md5((n % 1000)::text), 'amount', '1'),
         '{"asset":{"symbol":"ETH","decimals":18}}', 'Confirmed', null, '\\x01', '\\x02', n, decode(md5(n::text), 'hex'), '\\x04',
         '0x' || md5(n::text), n, '0x' || md5(n::text), '1', t, t, t
       from generate_series(1, $5::int) n, lateral (select now() - n * interval '2 seconds' as t) times`,
      [orgId, walletId, keys, network, requests],
    );
    await session.execute(
      `insert into signatures select (s).* from (
         select jsonb_populate_record(null::signatures, jsonb_build_object('id', 'sig-00000-00000-' || lpad(n::text, 16, '0'), 'org_id', $1::text,
           'key_id', $2::text, 'network', $4::text, 'requester', '{"userId":"us-00000-00000-00000000000001"}'::jsonb,
           'request_body', '{"kind":"Message","message":"hello"}'::jsonb, 'status', 'Failed', 'policy_decision', '{}'::jsonb, 'authorisation', '\\x01',
           'authorisation_signature', '\\x02', 'date_requested', now() - n * interval '1 second')) as s
         from generate_series(1, $3::int) n) made`,
      [orgId, keyId, keys, network],
    );
    await session.execute("vacuum analyze");
  });
  const wallet = await readWallet(database, walletId);
  if (wallet === undefined || !isChainWallet(wallet)) throw new Error("the wallet has no address");
  return wallet;
};

type Measure = readonly [name: string, run: (database: Database, wallet: ChainWallet) => Promise<unknown>];

const claimAndFinish = async (database: Database): Promise<void> => {
  await database.execute(
    "insert into due_requests (id, kind, org_id, lane) values ($1, 'transfer', $2, $3)",
    [randomUUID(), orgId, network],
  );
  const [claim] = await claimDue(database, new Map([[network, 4]]), randomUUID(), 10_000);
  if (claim === undefined) throw new Error("nothing is due");
  await finishClaim(database, claim);
};

const XFR = transferIdSchema.parse("xfr-00000-00000-00000000000000");

const MEASURES: readonly Measure[] = [
  ["claim what is due, and finish it", claimAndFinish],
  ["read a request", (database) => readChainRequest(database, XFR)],
  ["the highest place of a wallet", (database) => highestSequence(database, walletId)],
  ["the line of a wallet", (database) => readWalletLine(database, walletId, XFR)],
  [
    "whether another is the same bytes",
    (database) => otherIsSameBytes(database, walletId, XFR, Buffer.from([1])),
  ],
  ["transactions that may land", (database) => listAliveTransactions(database, walletId, [])],
  ["what a follower follows", (database) => listFollowed(database, network, 10_000_000n, 1)],
  ["a page of transfers", (database) => listTransfers(database, walletId, PAGE)],
  ["a page of history", (database, wallet) => listHistory(database, wallet, PAGE)],
  ["whether a key signed a digest", (database) => hasSignedDigest(database, keyId)],
  ["networks that a key signed for", (database) => networksSignedFor(database, keyId)],
];

const medianOf = async (run: () => Promise<unknown>): Promise<number> => {
  const took: number[] = [];
  for (let times = 0; times < TIMES; times++) {
    const began = performance.now();
    await run();
    took.push(performance.now() - began);
  }
  return took.sort((a, b) => a - b)[TIMES / 2] ?? Number.NaN;
};

const measured = async (url: string, requests: number): Promise<ReadonlyMap<string, number>> => {
  const database = openDatabase({ url, name: "bench", maxConnections: 1 });
  try {
    await migrate(database);
    const wallet = await fill(database, requests);
    const medians = new Map<string, number>();
    for (const [name, run] of MEASURES) medians.set(name, await medianOf(() => run(database, wallet)));
    return medians;
  } finally {
    await database.close();
  }
};

const server = await startPostgresServer();
try {
  const fresh = await measured((await server.createDatabase()).url, 1);
  const full = await measured((await server.createDatabase()).url, REQUESTS);
  const row = (name: string, ...cells: readonly string[]): void => {
    process.stdout.write(`${name.padEnd(NAME)}${cells.map((cell) => cell.padStart(COLUMN)).join("")}\n`);
  };
  row("median of 60, in ms", "fresh", `${REQUESTS} past`);
  for (const [name] of MEASURES) {
    row(name, (fresh.get(name) ?? Number.NaN).toFixed(2), (full.get(name) ?? Number.NaN).toFixed(2));
  }
} finally {
  await server.stop();
}
