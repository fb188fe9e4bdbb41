import type { Database } from "@conclave/platform";
import {
  type Column,
  columnsOf,
  placesOf,
  putValue,
  READABLE_TABLES,
  spoilingDatabase,
  spoiltValues,
} from "@conclave/platform/testing";
import { afterAll, beforeAll, expect, it } from "vitest";
import { z } from "zod";
import { type Answer, startWorld, type World } from "../testing/world.ts";
import { type FuzzedOperation, operationsOf } from "./operations.ts";
import { makeReadableThings, type ReadableThings } from "./readable-things.ts";
import { watchedDatabase } from "./watched-database.ts";

const listSchema = z.looseObject({ items: z.array(z.looseObject({})) });
const WORDS = `"words where something else belongs"`;
const ALL_TIMES = "startTime=2020-01-01T00:00:00Z&endTime=2100-01-01T00:00:00Z";

/** One read request, and the statements that answer it. */
interface Read {
  readonly path: string;
  /** number of items in the answer; undefined for a single resource */
  readonly items: number | undefined;
  readonly statements: readonly string[];
}

let world: World;
let spoiler: Database;
let things: ReadableThings;
let wallet: string;
let reads: readonly Read[];
/** by table, the reads that use it for more than to authenticate the caller */
let tables: ReadonlyMap<string, readonly Read[]>;

/** The queries for each operation: the required ones, and those that filter its items. */
const queriesOf = (path: string): readonly string[] => {
  const { owner, contract } = things;
  const caller = world.caller.userId;
  const known: Readonly<Record<string, readonly string[]>> = {
    "/auth/action/logs": ["", `${ALL_TIMES}&userId=${caller}`],
    "/auth/users": ["", "kind=EndUser"],
    "/keys": ["", `ownerId=${owner}`],
    "/wallets": ["", `ownerId=${owner}`],
    "/wallets/bulk-create": ["", "status=Completed"],
    "/wallets/{walletId}/assets": ["", "netWorth=true"],
    "/wallets/all/history": [ALL_TIMES],
    "/wallets/{walletId}/history": ["", "direction=In&kind=NativeTransfer", `contract=${contract}`],
    "/address-watches/{addressWatchId}/assets": ["", "netWorth=true"],
    "/address-watches/{addressWatchId}/history": [
      "",
      "direction=In&kind=NativeTransfer",
      `contract=${contract}`,
    ],
    "/networks/fees": ["network=EthereumSepolia"],
    "/v2/policies": ["", "status=Active"],
    "/v2/policy-approvals": ["", `status=Pending&triggerStatus=Triggered&approverId=${caller}`],
    "/webhooks/{webhookId}/events": ["", "kind=wallet.created&deliveryFailed=false"],
  };
  return known[path] ?? [""];
};

const pathsOf = ({ path }: FuzzedOperation): readonly string[] => {
  const signature = things.signatures[path.startsWith("/wallets") ? "wallets" : "keys"];
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const id = name === "signatureId" ? signature : things.ids[name];
    if (id === undefined) throw new Error(`${path}: the test makes no ${name}`);
    return id;
  });
  return queriesOf(path).map((query) => (query === "" ? filled : `${filled}?${query}`));
};

/** Whether a statement uses a table; a column may have the table's name. */
const isOf = (table: string, statement: string): boolean =>
  new RegExp(`\\b(?:from|join|into|update)\\s+${table}\\b`).test(statement);

beforeAll(async () => {
  let watch: ReturnType<typeof watchedDatabase> | undefined;
  world = await startWorld({
    wrapDatabase: (database) => {
      watch = watchedDatabase(database, () => true);
      return watch.database;
    },
  });
  spoiler = spoilingDatabase(world.databaseUrl);
  things = await makeReadableThings(world);
  wallet = things.ids["walletId"] ?? "";
  world.script(undefined);
  const { operations } = operationsOf((await world.call("GET", "/openapi.json")).body);
  const asked: Read[] = [];
  for (const path of operations.filter(({ method }) => method === "GET").flatMap(pathsOf)) {
    const [{ status, body }, { statements }] =
      (await watch?.during(() => world.call("GET", path))) ?? expect.fail();
    expect([path, status, body]).toEqual([path, 200, expect.anything()]);
    const list = listSchema.safeParse(body);
    asked.push({ path, statements, items: list.success ? list.data.items.length : undefined });
  }
  reads = asked;
  const ofEach = (statement: string): boolean => asked.every((read) => read.statements.includes(statement));
  const names = await world.database.rows(
    z.object({ name: z.string() }),
    "select tablename as name from pg_tables where schemaname = 'public' order by 1",
  );
  const readers = names.map(({ name }): [string, readonly Read[]] => [
    name,
    asked.filter(({ statements }) => statements.some((each) => !ofEach(each) && isOf(name, each))),
  ]);
  tables = new Map(readers.filter(([, found]) => found.length > 0));
}, 60_000);
afterAll(async () => {
  await spoiler.close();
  await world.stop();
});

it("INV-9 everything that can be read is there, and is read with ids and queries that fit", () => {
  expect(reads.length).toBeGreaterThan(50);
  // the launcher's files and the chain's answers are in no table
  expect(reads.filter(({ items }) => items === 0)).toEqual([]);
  expect([...tables.keys()]).toEqual(READABLE_TABLES);
});

const refusalSchema = z.looseObject({
  error: z.looseObject({ details: z.looseObject({ code: z.string(), record: z.string().optional() }) }),
});

/** Tables of owners: if the row of a person, a wallet or a job is unreadable, all that belongs to it may be missing from a list. */
const OWNERS = ["bulk_wallet_jobs", "users", "wallets", "keys", "permissions", "webhooks"];

/**
 * Whether an answer is allowed while a value in a table is spoilt. A list still has all other items, unless it belongs
 * to the spoilt resource. A single resource is shown, or not found, or refused by the code that names a record.
 */
const isGood = (table: string, { path, items }: Read, { status, body }: Answer): boolean => {
  const isOwner = OWNERS.includes(table);
  if (status === 200)
    return items === undefined || isOwner || listSchema.parse(body).items.length >= items - 1;
  const { code, record = "" } = refusalSchema.parse(body).error.details;
  const isUnreadable = status === 409 && code === "RecordUnreadable";
  if (items === undefined) return isUnreadable || status === 404;
  return isOwner && /-.*\//.test(path) && (status === 404 || (isUnreadable && path.includes(record)));
};

/** Makes all reads of a table while one of its values is spoilt. @returns the answers that are not allowed */
const askedWhileSpoilt = async (table: string): Promise<readonly string[]> => {
  // every read is refused if the row of the caller's own right is unreadable
  const standing = world.call("GET", "/key-stores");
  const answers = await Promise.all(
    (tables.get(table) ?? []).map(async (read) => ({ read, answer: await world.call("GET", read.path) })),
  );
  const { status: known } = await standing;
  const isFine = (read: Read, answer: Answer): boolean =>
    known === 200 ? isGood(table, read, answer) : answer.status < 500;
  const wrong = answers.filter(({ read, answer }) => !isFine(read, answer));
  return wrong.map(
    ({ read, answer }) => `${read.path} answers ${answer.status} ${JSON.stringify(answer.body)}`,
  );
};

/**
 * Spoils a column in one row for each kind of record, with each value in turn. @returns the wrong answers, and whether
 * any row accepted a value
 */
const spoilColumn = async (
  column: Column,
): Promise<{ readonly wrong: readonly string[]; readonly isTaken: boolean }> => {
  const wrong: string[] = [];
  let isTaken = false;
  const ids = [...Object.values(things.ids), ...Object.values(things.signatures)];
  for (const { held, at: first } of await placesOf(spoiler, column, ids)) {
    let at = first;
    for (const value of spoiltValues(column, held)) {
      const spoilt = await putValue(spoiler, column, at, value);
      if (spoilt === undefined) continue;
      [at, isTaken] = [spoilt, true];
      const answers = await askedWhileSpoilt(column.table);
      wrong.push(...answers.map((each) => `${column.table}.${column.name} = ${value}: ${each}`));
    }
    await putValue(spoiler, column, at, held);
  }
  return { wrong, isTaken };
};

it("INV-9 no record with something else in a column makes a read fail, or takes a list down", async () => {
  const columns = await columnsOf(world.database, [...tables.keys()]);
  const [wrong, refused]: [string[], string[]] = [[], []];
  for (const column of columns) {
    const spoilt = await spoilColumn(column);
    wrong.push(...spoilt.wrong);
    if (!spoilt.isTaken) refused.push(`${column.table}.${column.name}`);
  }
  expect(wrong).toEqual([]);
  // these columns have a check in their table, which allows a few words, a range or a form
  expect(refused).toEqual([
    "access_tokens.kind",
    "applications.kind",
    "bulk_wallet_jobs.status",
    "bulk_wallet_jobs.completed_count",
    "chain_requests.status",
    "chain_requests.kind",
    "chain_requests.dead_transactions",
    "change_requests.kind",
    "change_requests.operation_kind",
    "change_requests.status",
    "credentials.kind",
    "key_attestations.key_id",
    "key_attestations.signatures",
    "key_attestations.statements",
    "key_attestations.statement_signatures",
    "keys.scheme",
    "keys.status",
    "keys.origin",
    "policies.status",
    "policy_approval_decisions.value",
    "policy_approvals.subject_kind",
    "policy_approvals.status",
    "signatures.status",
    "users.kind",
    "wallets.status",
    "webhooks.status",
  ]);
}, 300_000);

it("INV-9 lists leave out what cannot be read, and what can be is on its page", async () => {
  const history = async (query = "") => world.call("GET", `/wallets/${wallet}/history${query}`);
  expect(listSchema.parse((await history()).body).items).toHaveLength(2);
  const spoil = (amount: string, hash: string) =>
    world.database.execute(
      "update deposits set moved = jsonb_set(moved, '{amount}', to_jsonb($1::text)) where tx_hash = $2",
      [amount, hash],
    );
  await spoil("many", "0x01");
  expect(listSchema.parse((await history()).body).items).toMatchObject([{ txHash: "0x04" }]);
  // pages reach the readable row behind all others
  const seen: unknown[] = [];
  let token: string | undefined;
  do {
    const answer = await history(`?limit=1${token === undefined ? "" : `&paginationToken=${token}`}`);
    const page = listSchema.extend({ nextPageToken: z.string().optional() }).parse(answer.body);
    seen.push(...page.items.map(({ txHash }) => txHash));
    token = page.nextPageToken;
  } while (token !== undefined);
  expect(seen).toEqual(["0x04"]);
  await spoil("5", "0x01");
});

it("INV-9 one that is asked for by itself is refused with a code, and the operator is named", async () => {
  const policies = listSchema.parse((await world.call("GET", "/v2/policies")).body).items;
  const [id] = policies.map(({ id: each }) => String(each));
  await world.database.execute("update policies set body = $1", [WORDS]);
  const answer = await world.call("GET", `/v2/policies/${id}`);
  expect(answer).toMatchObject({
    status: 409,
    body: { error: { details: { code: "RecordUnreadable", record: id } } },
  });
  expect((await world.call("GET", "/v2/policies")).body).toEqual({ items: [] });
});

it("INV-8 nothing passes a policy that cannot be read", async () => {
  const body = { kind: "Native", to: `0x${"1".repeat(40)}`, amount: "1" };
  await world.database.execute(`update policies set body = '{"activityKind": "Wallets:Sign", "rule": 7}'`);
  const answer = await world.call("POST", `/wallets/${wallet}/transfers`, body);
  expect(answer.status).toBe(409);
});

it("INV-8 a key signs for none of its wallets while one cannot be read, whose policies guard them all", async () => {
  await world.database.execute("update policies set status = 'Archived'");
  const [made = expect.fail("it is there")] = await world.database.rows(
    z.object({ id: z.string(), key_id: z.string() }),
    "select id, key_id from wallets where id = $1",
    [wallet],
  );
  const sibling = `wa-aaaaa-bbbbb-${made.id.slice(-16)}`;
  await world.database.execute(
    `insert into wallets (id, org_id, key_id, network, status, requester, request_body, address, date_created)
     select $2, org_id, key_id, 'PolygonAmoy', status, requester, '"words"', address, now() from wallets where id = $1`,
    [made.id, sibling],
  );
  const payment = { kind: "Native", to: `0x${"1".repeat(40)}`, amount: "1" };
  const signature = { kind: "Hash", hash: "ab".repeat(32) };
  const rows = await world.rows();
  for (const [path, body] of [
    [`/wallets/${made.id}/transfers`, payment],
    [`/wallets/${made.id}/signatures`, signature],
    [`/keys/${made.key_id}/signatures`, signature],
  ] as const) {
    expect([path, await world.call("POST", path, body)]).toMatchObject([
      path,
      { status: 409, body: { error: { details: { code: "RecordUnreadable", record: sibling } } } },
    ]);
  }
  expect(await world.rows()).toBe(rows);
  // the key is still shown, with the wallets that are readable
  expect(await world.call("GET", `/keys/${made.key_id}`)).toMatchObject({
    status: 200,
    body: { wallets: [{ id: made.id }] },
  });
});
