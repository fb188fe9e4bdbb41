import { randomBytes } from "node:crypto";
import { networkSchema, organisationIdSchema } from "@conclave/custody";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { freshId } from "../fresh-id.ts";
import { freshDatabase } from "../testing/index.ts";
import { sampleTransfer, UNDECIDED } from "../testing/sample-requests.ts";
import { sampleWallet, storeWallet } from "../testing/sample-wallet.ts";
import { type Database, openDatabase } from "./database.ts";
import { insertAttestedKey } from "./keys/attested-keys.ts";
import { changeKey } from "./keys/key-change.ts";
import { readWallet } from "./keys/wallets.ts";
import { isMigrated, migrate } from "./migrate.ts";
import { insertOrganisation } from "./people/organisations.ts";
import { changeChainRequest } from "./requests/chain-request-change.ts";
import { insertChainRequest, lockChainRequest, readTransfer } from "./requests/chain-requests.ts";
import {
  askForDeathStatement,
  listDeathQuestions,
  readDeathStatement,
} from "./requests/dead-transactions.ts";
import { isRuledOut, listUnsure, noteUnsure, ruleOut } from "./requests/unsure-requests.ts";

const DATE = "2026-01-02T03:04:05.678Z";
const LOGIN = `orchestrator_${randomBytes(6).toString("hex")}`;
const PASSWORD = randomBytes(12).toString("hex");
const SEPOLIA = networkSchema.parse("EthereumSepolia");
const [orgId, otherOrg] = [freshId(organisationIdSchema, "or"), freshId(organisationIdSchema, "or")];

let owner: Database;
let orchestrator: Database;
let orchestratorUrl: string;
const made = sampleWallet(orgId, { externalId: "made" });
const asked = sampleTransfer(made, UNDECIDED);
const authorised = sampleTransfer(made, {
  ...UNDECIDED,
  authorisation: { payload: Uint8Array.of(3), signature: new Uint8Array(64) },
});

beforeAll(async () => {
  const url = new URL(await freshDatabase());
  owner = openDatabase({ url: url.href, name: "gateway" });
  await owner.execute(`create role ${LOGIN} login password '${PASSWORD}'`);
  [url.username, url.password] = [LOGIN, PASSWORD];
  orchestratorUrl = url.href;
  orchestrator = openDatabase({ url: orchestratorUrl, name: "orchestrator" });
});
afterAll(async () => {
  await orchestrator.close();
  await owner.execute(`drop owned by ${LOGIN}`);
  await owner.execute(`drop role ${LOGIN}`);
  await owner.close();
});

const activate = (connection: Database, keyId: typeof made.keyId) =>
  connection.transaction((within) =>
    changeKey(within, keyId, {
      kind: "Activated",
      publicKey: "02ab",
      addresses: new Map([[SEPOLIA, "0xAb"]]),
      date: DATE,
    }),
  );

describe("the login of orchestrators", () => {
  const refused = (statement: string, values: readonly unknown[] = []) =>
    expect(orchestrator.execute(statement, values), statement).rejects.toMatchObject({ code: "42501" });

  it("sees nothing before the owner of the tables gave it rights, and then that they are migrated", async () => {
    expect(await isMigrated(orchestrator)).toBe(false);
    await migrate(owner, { orchestrator: LOGIN });
    expect(await isMigrated(orchestrator)).toBe(true);
    await migrate(owner, { orchestrator: LOGIN }); // as each start of a gateway does
    expect(await isMigrated(orchestrator)).toBe(true);
  });

  it("tells of keys, carries out what is authorised, and rejects what is not", async () => {
    await insertOrganisation(owner, { id: orgId, name: "Acme", dateCreated: DATE });
    await insertOrganisation(owner, { id: otherOrg, name: "Other", dateCreated: DATE });
    for (const wallet of [made, sampleWallet(otherOrg, { externalId: "other" })])
      await storeWallet(owner, wallet);
    for (const request of [asked, authorised]) await insertChainRequest(owner, request);
    const claim = {
      keyId: made.keyId,
      publicKey: "02".repeat(33),
      attestations: [{ signature: new Uint8Array(64) }],
    };
    await orchestrator.transaction((connection) => insertAttestedKey(connection, claim));
    await refused("update attested_keys set public_key = public_key");
    await refused("delete from attested_keys");
    await expect(activate(orchestrator, made.keyId)).rejects.toMatchObject({ code: "42501" });
    expect((await activate(owner, made.keyId)).ok).toBe(true);
    expect((await readWallet(owner, made.id))?.status).toBe("Active");
    const exported = await orchestrator.transaction((connection) =>
      changeKey(connection, made.keyId, { kind: "Exported", date: DATE }),
    );
    expect(exported.ok).toBe(true);
    const changed = await orchestrator.transaction(async (connection) => {
      const locked = (await lockChainRequest(connection, authorised.id)) ?? expect.fail("no request");
      const begun = await changeChainRequest(connection, locked, { kind: "Begun" });
      if (!begun.ok) return begun;
      return changeChainRequest(connection, begun.value, {
        kind: "Built",
        sequence: 7n,
        exclusion: Uint8Array.of(7),
        unsignedTransaction: Uint8Array.of(2, 1),
        details: { nonce: 7 },
      });
    });
    expect(changed.ok).toBe(true);
    const other = sampleTransfer(made, UNDECIDED);
    await insertChainRequest(owner, other);
    await orchestrator.transaction(async (connection) => {
      const locked = (await lockChainRequest(connection, other.id)) ?? expect.fail("no request");
      await changeChainRequest(connection, locked, { kind: "Rejected", reason: "late", date: DATE });
    });
    expect((await readTransfer(owner, other.id))?.status).toBe("Rejected");
  });

  it.each([
    "users",
    "credentials",
    "access_tokens",
    "applications",
    "permissions",
    "permission_assignments",
    "user_actions",
    "audit_logs",
    "policies",
    "wallet_spendings",
    "spent_challenges",
    "request_nonces",
    "request_windows",
  ])("INV-8 neither reads nor writes %s", async (table) => {
    await refused(`select * from ${table}`);
    await refused(`insert into ${table} default values`);
    await refused(`delete from ${table}`);
  });

  it.each([
    ["gives itself a key, a wallet or a request", "insert into chain_requests default values"],
    ["speaks in an approval", "insert into policy_approval_decisions default values"],
    ["asks for an approval", "insert into policy_approvals default values"],
    ["lowers what an approval needs", "update policy_approvals set groups = '[]'"],
    ["changes what a change request changes", "update change_requests set body = '{}'"],
    ["lets keys leave", "update organisations set key_export = true"],
    ["names another client of an export", "update key_exports set authorisation = ''"],
    ["forgets what happened", "delete from events"],
    ["forgets what was sent", "delete from webhook_events"],
    ["forgets what is to be published", "delete from outbox"],
    ["rewrites what happened", "update events set data = '{}'"],
    ["takes the guards away", "alter table wallets disable trigger all"],
    ["becomes somebody else", "set role conclave"],
  ])("INV-8 never %s", async (_, statement) => {
    await refused(statement);
  });

  it.each([
    ["wallets", "tags = '[]'"],
    ["wallets", "org_id = (select id from organisations where name = 'Other')"],
    ["wallets", "address = '0x01'"],
    ["wallets", "status = 'Archived'"],
    ["keys", "delegated_to = 'us-1'"],
    ["keys", "public_key = '03ff'"],
    ["keys", "status = 'Archived'"],
    ["keys", "date_exported = null"],
    ["keys", "status = 'Active'"],
    ["wallets", "status = 'Active'"],
    ["chain_requests", `request_body = '{"kind":"Native","to":"0x01","amount":"9"}'`],
    ["chain_requests", "approval_id = 'ap-1'"],
    ["chain_requests", "authorisation = '\\x01', authorisation_signature = '\\x02'"],
    ["chain_requests", "wallet_id = (select id from wallets where external_id = 'other')"],
  ])("INV-8 never changes %s by %s", async (table, change) => {
    const rows = await owner.rows(z.record(z.string(), z.unknown()), `select * from ${table} order by id`);
    await refused(`update ${table} set ${change}`);
    expect(await owner.rows(z.record(z.string(), z.unknown()), `select * from ${table} order by id`)).toEqual(
      rows,
    );
  });

  it("INV-8 adds nothing to what the gateway's statements could meet", async () => {
    await owner.execute("grant create on schema public to public"); // the default before PostgreSQL 15
    await migrate(owner, { orchestrator: LOGIN });
    await refused(
      "create function public.lower(character varying) returns text language sql as $$ select '' $$",
    );
    await refused("create table public.users_of_mine (id text)");
  });

  it("INV-8 does not mislead the guards by functions of its own, where it may make some", async () => {
    await owner.execute(`grant create on schema public to ${LOGIN}`);
    try {
      await orchestrator.execute(
        `create function public.to_jsonb(wallets) returns jsonb language sql as $$ select '{}'::jsonb $$`,
      );
      await refused("update wallets set tags = '[]'");
    } finally {
      await owner.execute("drop function if exists public.to_jsonb(wallets)");
      await owner.execute(`revoke create on schema public from ${LOGIN}`);
    }
  });

  const DELETABLE = [
    "due_requests",
    "fee_waits",
    "key_imports",
    "orchestrators",
    "presignature_leases",
    "webhook_deliveries",
  ];
  it("can lock out all others only from tables of which it deletes rows", async () => {
    const tables = await owner.rows(
      z.object({ name: z.string() }).transform(({ name }) => name),
      "select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace order by 1",
    );
    const lockable: string[] = [];
    for (const table of tables) {
      const locked = orchestrator.transaction((connection) =>
        connection.execute(`lock table ${table} in access exclusive mode`),
      );
      await locked.then(
        () => lockable.push(table),
        (error: unknown) => expect(error, table).toMatchObject({ code: "42501" }),
      );
    }
    expect(lockable).toEqual(DELETABLE);
  });

  it("sets timeouts of its own role to no effect, because those of each connection override them", async () => {
    const shown = z.object({ statement: z.string(), lock: z.string() });
    const SHOW =
      "select current_setting('statement_timeout') as statement, current_setting('lock_timeout') as lock";
    await orchestrator.execute(`alter role ${LOGIN} set statement_timeout = '1ms'`);
    await orchestrator.execute(`alter role ${LOGIN} set lock_timeout = '1ms'`);
    const url = new URL(orchestratorUrl);
    const fresh = openDatabase({ url: url.href, name: "orchestrator" });
    try {
      expect(await fresh.rows(shown, SHOW)).toEqual([{ statement: "10s", lock: "3s" }]);
    } finally {
      await fresh.close();
    }
    // PostgreSQL lets every login change its own settings; those of other roles, or of all, it may not change
    await refused("alter role all set statement_timeout = '1ms'");
    await refused("alter system set statement_timeout = '1ms'");
    const [{ owner: name } = { owner: "" }] = await owner.rows(
      z.object({ owner: z.string() }),
      "select current_user as owner",
    );
    await refused(`alter role ${name} set statement_timeout = '1ms'`);
    await orchestrator.execute(`alter role ${LOGIN} reset all`);
  });

  it("has a decided right, or none, to every table", async () => {
    const unseen = await owner.rows(
      z.object({ name: z.string() }).transform(({ name }) => name),
      `select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace
         and not has_any_column_privilege($1, oid, 'select') order by 1`,
      [LOGIN],
    );
    expect(unseen).toEqual([
      "access_tokens",
      "applications",
      "audit_logs",
      "bulk_wallet_jobs",
      "bulk_wallets",
      "code_challenges",
      "coin_looks",
      "credentials",
      "key_attestations",
      "one_time_codes",
      "permission_assignments",
      "permissions",
      "policies",
      "request_nonces",
      "request_windows",
      "spent_challenges",
      "user_actions",
      "user_group_members",
      "user_groups",
      "users",
      "wallet_spendings",
    ]);
  });

  it("is refused a name that a statement would read as more than a name", async () => {
    await expect(migrate(owner, { orchestrator: "a; drop table users" })).rejects.toThrow(RangeError);
  });

  it("INV-4 notes that a request may have been carried out, and cannot rule it out", async () => {
    await noteUnsure(orchestrator, authorised.id, "the node has forgotten blocks");
    await noteUnsure(orchestrator, authorised.id, "the node is away");
    await refused("update unsure_requests set ruled_out = now()");
    await refused("insert into unsure_requests (request_id, why, ruled_out) values ('xfr-1', '', now())");
    await refused("delete from unsure_requests");
    expect(await isRuledOut(orchestrator, authorised.id)).toBe(false);
    expect(await ruleOut(owner, [authorised.id, "xfr-1"])).toEqual([authorised.id]);
    expect([await isRuledOut(orchestrator, authorised.id), await listUnsure(owner, 10)]).toEqual([true, []]);
    await noteUnsure(orchestrator, authorised.id, "the node has forgotten more");
    expect(await isRuledOut(orchestrator, authorised.id)).toBe(true);
    // records that are restored a day later still contain the decision
    await owner.execute("update unsure_requests set ruled_out = now() - interval '1 day'");
    expect(await isRuledOut(orchestrator, authorised.id)).toBe(false);
    expect(await listUnsure(owner, 10)).toMatchObject([{ id: authorised.id }]);
  });

  it("INV-4 asks for the authority's word on dead transactions, and can neither write nor change nor take it away", async () => {
    await orchestrator.transaction(async (connection) => {
      await askForDeathStatement(connection, authorised.id, 1);
      await askForDeathStatement(connection, authorised.id, 1);
    });
    const forged = [authorised.id, 2, Uint8Array.of(1)];
    await refused(
      `insert into death_statements (request_id, transactions, date_asked, statement, statement_signature)
       values ($1, $2, now(), $3, $3)`,
      forged,
    );
    await refused("update death_statements set statement = $1, statement_signature = $1", [Uint8Array.of(1)]);
    await refused("update death_statements set transactions = 2");
    await refused("delete from death_statements");
    await refused("update dead_transactions set unsigned_transaction = unsigned_transaction");
    await refused("delete from dead_transactions");
    expect(await readDeathStatement(orchestrator, authorised.id, 1)).toEqual({ statement: undefined });
    expect(await listDeathQuestions(owner, undefined, 9)).toEqual([
      { requestId: authorised.id, transactions: 1 },
    ]);
  });
});
