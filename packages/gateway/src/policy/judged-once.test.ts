import { afterAll, beforeAll, expect, it } from "vitest";
import { z } from "zod";
import {
  ALWAYS,
  type ApprovalWorld,
  asking,
  dollars,
  startApprovalWorld,
} from "../testing/approval-world.ts";
import { administratorOf, approverOf, type Person } from "../testing/people.ts";

let at: ApprovalWorld;
let admin: Person;
beforeAll(async () => {
  at = await startApprovalWorld();
  admin = administratorOf(at.world);
  await at.policy({ rule: ALWAYS, action: asking(1, await approverOf(at.world)) });
});
afterAll(() => at.world.stop());

/** Selects transactions of this world that wait for the end of another one. */
const WAITING = `select from pg_stat_activity where datname = current_database()
  and wait_event_type = 'Lock' and wait_event = 'transactionid'`;
/** All tables that a judgement writes, and those of requests. */
const RECORDS = [
  "chain_requests",
  "signatures",
  "policy_evaluations",
  "policy_approvals",
  "wallet_spendings",
];
const countsSchema = z.record(z.string(), z.number());
const idSchema = z.looseObject({ id: z.string() });

const recordsOf = async () => {
  const counts = [...RECORDS, "events", "due_requests"].map(
    (table) => `(select count(*)::int from ${table}) as ${table}`,
  );
  const [found] = await at.world.database.rows(countsSchema, `select ${counts.join(", ")}`, []);
  return found ?? expect.fail("no counts");
};

it.each([
  ["chain_requests", "xfr-aaaaa-eeeee-0000000000000001", "wallets", "transfers", dollars(90)],
  [
    "signatures",
    "sig-aaaaa-eeeee-0000000000000001",
    "keys",
    "signatures",
    { kind: "Message", message: "0x01" },
  ],
] as const)(
  "INV-8 nothing is on record of a request of %s that comes in behind another with its externalId",
  async (table, id, kind, requests, body) => {
    const wallet = await at.wallet();
    const path = `/${kind}/${kind === "keys" ? wallet.keyId : wallet.id}/${requests}`;
    const before = await at.ask(admin, path, { ...body, externalId: `${table} before` });
    const records = await recordsOf();
    const { asking: asked } = await at.world.database.transaction(async (connection) => {
      // equal to the earlier request except for its ids
      const externalId = `${table} now`;
      const changed = { id, external_id: externalId, request_body: { ...body, externalId } };
      await connection.execute(
        `insert into ${table} select (jsonb_populate_record(t, $2)).* from ${table} t where id = $1`,
        [before.id, JSON.stringify(changed)],
      );
      const asking = admin.call("POST", path, { ...body, externalId });
      await expect.poll(() => at.world.database.execute(WAITING), { timeout: 10_000 }).toBe(1);
      return { asking };
    });
    const answer = await asked;
    expect([answer.status, idSchema.parse(answer.body).id]).toEqual([200, id]);
    expect(await recordsOf()).toEqual({ ...records, [table]: (records[table] ?? 0) + 1 });
  },
);

it.each([
  ["chain_requests", "wallets", "transfers", dollars(90)],
  ["signatures", "keys", "signatures", { kind: "Message", message: "0x02" }],
] as const)(
  "a row of %s is written once when its request is accepted",
  async (table, kind, requests, body) => {
    const { database } = at.world;
    await database.execute("create table if not exists row_writes (id text not null, act text not null)");
    await database.execute(`create or replace function note_write() returns trigger language plpgsql as $$
    begin insert into row_writes values (new.id, tg_op); return new; end $$`);
    await database.execute(
      `create trigger note_writes after insert or update on ${table} for each row execute function note_write()`,
    );
    const wallet = await at.wallet();
    const path = `/${kind}/${kind === "keys" ? wallet.keyId : wallet.id}/${requests}`;
    const { id } = await at.ask(admin, path, body);
    const writes = await database.rows(
      z.object({ act: z.string() }),
      "select act from row_writes where id = $1",
      [id],
    );
    expect(writes).toEqual([{ act: "INSERT" }]);
    await database.execute(`drop trigger note_writes on ${table}`);
  },
);
