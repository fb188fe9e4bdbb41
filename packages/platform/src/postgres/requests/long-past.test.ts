import {
  type ChainWallet,
  isChainWallet,
  organisationIdSchema,
  transferIdSchema,
  userIdSchema,
} from "@conclave/custody";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { freshDatabase } from "../../testing/index.ts";
import { sampleWallet, storeWallet } from "../../testing/sample-wallet.ts";
import { processWorld } from "../../world.ts";
import { type Connection, type Database, openDatabase } from "../database.ts";
import { readWallet } from "../keys/wallets.ts";
import { insertOrganisation } from "../people/organisations.ts";
import { listHistory } from "./history.ts";
import { listOrganisationHistory } from "./organisation-history.ts";
import { listAliveTransactions, listLandedTransactions } from "./sequences.ts";
import { hasSignedDigest, networksSignedFor } from "./signatures.ts";
import { readWalletLine } from "./wallet-line.ts";

const PAST = 20_000;
const orgId = processWorld.freshId(organisationIdSchema, "or");
const created = sampleWallet(orgId);
const ADDRESS = `0x${"5a".repeat(20)}`;
const EVERYTHING = {
  orgId,
  start: "2000-01-01T00:00:00Z",
  end: "2099-01-01T00:00:00Z",
  ownerId: undefined,
};
const ownerId = userIdSchema.parse("us-00000-00000-00000000000001");
const after = { date: new Date(Date.now() - 9_000 * 3_600_000).toISOString(), id: "xfr-" };
const REQUEST = transferIdSchema.parse("xfr-00000-00000-00000000000000");

let database: Database;
let wallet: ChainWallet;
beforeAll(async () => {
  database = openDatabase({ url: await freshDatabase(), name: "past", maxConnections: 1 });
  await insertOrganisation(database, { id: orgId, name: "Acme", dateCreated: "2026-01-02T03:04:05.678Z" });
  await storeWallet(database, created);
  await database.execute("update keys set status = 'Active', public_key = $1, delegated_to = $2", [
    "02".repeat(33),
    ownerId,
  ]);
  await database.execute("update wallets set status = 'Active', address = $1", [ADDRESS]);
  await database.session(async (session) => {
    await session.execute(
      `insert into chain_requests (id, kind, org_id, wallet_id, network, requester, request_body, metadata, status, authorisation,
         authorisation_signature, sequence, unsigned_transaction, signed_transaction, tx_hash, block_number, date_requested,
         date_confirmed, date_settled)
       select 'xfr-00000-00000-' || lpad(n::text, 16, '0'), 'Transfer', $1, $2, $3, '{"userId":"us-00000-00000-00000000000001"}',
         jsonb_build_object('kind', 'Native', 'to', $4::text, 'amount', '1'), '{"asset":{}}', 'Confirmed', '\\x01', '\\x02', n,
         '\\x03', '\\x04', md5(n::text), n, t, t, t
       from generate_series(1, $5::int) n, lateral (select now() - n * interval '1 hour' as t) times`,
      [orgId, created.id, created.network, ADDRESS, PAST],
    );
    await session.execute(
      `insert into signatures (id, org_id, key_id, network, requester, request_body, status, policy_decision, authorisation,
         authorisation_signature, date_requested)
       select 'sig-' || n, $1, $2, case when n % 2 = 0 then $3 else 'Base' end, '{}', '{"kind":"Message","message":"hello"}', 'Failed',
         '{}', '\\x01', '\\x02', now() from generate_series(1, $4::int) n`,
      [orgId, created.keyId, created.network, PAST],
    );
    await session.execute("vacuum analyze");
  });
  const read = await readWallet(database, created.id);
  wallet = read !== undefined && isChainWallet(read) ? read : expect.fail("the wallet has no address");
});
afterAll(() => database.close());

const readSchema = z.object({ read: z.coerce.number() });

/** Number of rows of requests and signatures that the statements of some work read from tables and indexes. */
const rowsRead = async (work: (connection: Connection) => Promise<unknown>): Promise<number> => {
  const count = async (connection: Connection): Promise<number> => {
    const [row] = await connection.rows(
      readSchema,
      `select sum(seq_tup_read + coalesce(idx_tup_fetch, 0)) as read from pg_stat_xact_user_tables
       where relname in ('chain_requests', 'signatures')`,
    );
    return row?.read ?? 0;
  };
  return database.transaction(async (connection) => {
    const before = await count(connection);
    await work(connection);
    return (await count(connection)) - before;
  });
};

/** a page of confirmed movements in both directions */
const PAGE = { limit: 20, after: undefined };
const READ_MOST = 100;

describe("of a wallet and a key with a long past, only what is asked for is read:", () => {
  it.each<[string, (connection: Connection) => Promise<unknown>]>([
    ["the line of a wallet", (on) => readWalletLine(on, created.id, REQUEST)],
    ["transactions that may still land", (on) => listAliveTransactions(on, created.id, [])],
    ["transactions that landed last", (on) => listLandedTransactions(on, created.id, REQUEST)],
    ["a page of history", (on) => listHistory(on, wallet, PAGE)],
    ["a page of the organisation's history", (on) => listOrganisationHistory(on, EVERYTHING, PAGE)],
    [
      "a page of an end user's history",
      (on) => listOrganisationHistory(on, { ...EVERYTHING, ownerId }, PAGE),
    ],
    ["a page far back in it", (on) => listOrganisationHistory(on, EVERYTHING, { ...PAGE, after })],
    ["whether a key signed a digest", (on) => hasSignedDigest(on, created.keyId)],
  ])("%s", async (_, work) => {
    expect(await rowsRead(work)).toBeLessThan(READ_MOST);
  });

  it("networks that a key signed for", async () => {
    expect([...(await networksSignedFor(database, created.keyId))].sort()).toEqual(["Base", created.network]);
    expect(await rowsRead((on) => networksSignedFor(on, created.keyId))).toBeLessThan(READ_MOST);
  });

  it("a page of history is the newest of it", async () => {
    const page = await listHistory(database, wallet, PAGE);
    const next = await listHistory(database, wallet, {
      limit: 1,
      after: { date: page.at(-1)?.dateConfirmed ?? "", id: page.at(-1)?.id ?? "" },
    });
    expect([...page, ...next].map(({ blockNumber }) => Number(blockNumber))).toEqual(
      Array.from({ length: PAGE.limit + 1 }, (_, at) => at + 1),
    );
  });
});
