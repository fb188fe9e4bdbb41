import { depositIdSchema, networkSchema, walletIdSchema } from "@conclave/custody";
import { freshId, insertDeposit } from "@conclave/platform";
import { afterAll, beforeAll, expect, it } from "vitest";
import { z } from "zod";
import { startWorld, type World } from "../testing/world.ts";
import { furnish } from "./furniture.ts";
import { operationsOf } from "./operations.ts";

const columnSchema = z.object({ table_name: z.string(), column_name: z.string() });
const listSchema = z.looseObject({ items: z.array(z.looseObject({})) });
const WORDS = `"words where something else belongs"`;

let world: World;
let reads: readonly string[];
let wallet: string;
beforeAll(async () => {
  world = await startWorld({ settlementWaitMs: 1 });
  const ids = await furnish(world);
  wallet = ids.find((id) => id.startsWith("wa-")) ?? "";
  const deposit = {
    orgId: world.caller.orgId,
    walletId: walletIdSchema.parse(wallet),
    network: networkSchema.parse("EthereumSepolia"),
    txHash: "0x01",
    place: "value",
    from: "0x02",
    moved: { kind: "Native", to: "0x03", amount: "5" } as const,
    asset: { symbol: "ETH", decimals: 18 },
    blockNumber: 7n,
    date: "2026-01-02T03:04:05.678Z",
  };
  await insertDeposit(world.database, deposit);
  await insertDeposit(world.database, { ...deposit, txHash: "0x04" });
  const { operations } = operationsOf((await world.call("GET", "/openapi.json")).body);
  const idOf = (name: string): string => {
    const prefix = {
      walletId: "wa-",
      keyId: "key-",
      transferId: "xfr-",
      permissionId: "pm-",
      webhookId: "wh-",
      policyId: "plc-",
    }[name];
    return ids.find((id) => prefix !== undefined && id.startsWith(prefix)) ?? freshId(depositIdSchema, "dep");
  };
  reads = operations
    .filter(({ method }) => method === "GET")
    .map(({ path }) => path.replaceAll(/\{(\w+)\}/g, (_, name: string) => idOf(name)));
});
afterAll(() => world.stop());

/** Asks everything that can be read. @returns what was answered as if a program were broken */
const broken = async (): Promise<readonly string[]> => {
  const found: string[] = [];
  for (const path of reads) {
    const { status } = await world.call("GET", path);
    if (status >= 500 && status !== 503) found.push(`${path}: ${status}`);
  }
  return found;
};

it("INV-9 no record with something else than its JSON makes any read fail", async () => {
  const columns = await world.database.rows(
    columnSchema,
    `select c.table_name, c.column_name from information_schema.columns c
       join information_schema.tables t using (table_schema, table_name)
      where c.table_schema = 'public' and t.table_type = 'BASE TABLE' and c.data_type = 'jsonb'
      order by 1, 2`,
  );
  expect(columns.length).toBeGreaterThan(20);
  const failed: string[] = [];
  for (const { table_name: table, column_name: column } of columns) {
    const before = `before_${table}_${column}`.slice(0, 60);
    await world.database.execute(
      `create table ${before} as select ctid as at, ${column} as held from ${table}`,
    );
    // a constraint of the table may stand against it: then no such row can be there
    const changed = await world.database
      .execute(`alter table ${table} disable trigger user`)
      .then(() =>
        world.database.execute(`update ${table} set ${column} = '${WORDS}' where ${column} is not null`),
      )
      .catch(() => 0);
    if (changed > 0) failed.push(...(await broken()).map((each) => `${table}.${column}: ${each}`));
    await world.database.execute(
      `with old as (select held, row_number() over (order by at) as nth from ${before}),
            now as (select ctid as at, row_number() over (order by ctid) as nth from ${table})
       update ${table} set ${column} = old.held from old join now using (nth)
        where ${table}.ctid = now.at and ${changed} > 0`,
    );
    await world.database.execute(`drop table ${before}`);
  }
  expect(failed).toEqual([]);
}, 120_000);

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
  // whatever stands before it, the one that can be read is reached by pages
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
  // it is shown all the same, with the wallets that can be read
  expect(await world.call("GET", `/keys/${made.key_id}`)).toMatchObject({
    status: 200,
    body: { wallets: [{ id: made.id }] },
  });
});
