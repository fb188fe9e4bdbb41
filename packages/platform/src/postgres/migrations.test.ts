import { readdir, readFile } from "node:fs/promises";
import { keyIdSchema, organisationIdSchema, userIdSchema, walletIdSchema } from "@conclave/custody";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { freshId } from "../fresh-id.ts";
import { freshDatabase } from "../testing/index.ts";
import { type Database, openDatabase } from "./database.ts";
import { readKey } from "./keys/keys.ts";
import { readWallet } from "./keys/wallets.ts";
import { migrate } from "./migrate.ts";

const FOLDER = new URL("./migrations/", import.meta.url);
const date = "2026-01-02T03:04:05.678Z";
const orgId = freshId(organisationIdSchema, "or");
const requester = { userId: freshId(userIdSchema, "us") };

let database: Database;
beforeAll(async () => {
  database = openDatabase({ url: await freshDatabase("empty"), name: "test" });
});
afterAll(async () => {
  await database.close();
});

/** Brings the database to where a version left it: the files up to a number. */
const migrateTo = async (number: string): Promise<void> => {
  await database.execute(
    "create table schema_migrations (name text primary key, date_applied timestamptz not null)",
  );
  for (const name of (await readdir(FOLDER)).filter((file) => file <= `${number}~`).sort()) {
    await database.execute(await readFile(new URL(name, FOLDER), "utf8"));
    await database.execute("insert into schema_migrations values ($1, now())", [name]);
  }
};

/** A wallet as version 0.1 stored it, and its request, which has not left the outbox. */
const oldWallet = async (status: "Active" | "Creating" | "Failed") => {
  const [id, keyId] = [freshId(walletIdSchema, "wa"), freshId(keyIdSchema, "key")];
  const isActive = status === "Active";
  await database.execute(
    `insert into wallets (id, org_id, key_id, network, status, requester, request_body, authorisation,
       authorisation_signature, public_key, address, problem, date_created)
     values ($1, $2, $3, 'EthereumSepolia', $4, $5, '{"network":"EthereumSepolia"}', '\\x01', '\\x02', $6, $7, $8, $9)`,
    [
      id,
      orgId,
      keyId,
      status,
      JSON.stringify(requester),
      isActive ? "02ab" : null,
      isActive ? "0xAb" : null,
      status === "Failed" ? '{"code":"KeyGenerationFailed","message":"m","details":{}}' : null,
      date,
    ],
  );
  await database.execute(
    `insert into outbox (message_id, subject, payload, date_created)
     values ($1, 'conclave.request.wallet', jsonb_build_object('walletId', $2::text), now())`,
    [`request/${id}`, id],
  );
  return { id, keyId };
};

describe("a database of version 0.1", () => {
  it("INV-5 keeps its wallets, whose keys become resources, and asks again for those that are not made", async () => {
    await migrateTo("003");
    await database.execute("insert into organisations values ($1, 'Acme', now())", [orgId]);
    const [active, creating, failed] = [
      await oldWallet("Active"),
      await oldWallet("Creating"),
      await oldWallet("Failed"),
    ];
    await migrate(database);
    expect(await readWallet(database, active.id)).toMatchObject({
      status: "Active",
      keyId: active.keyId,
      address: "0xAb",
      signingKey: { scheme: "ECDSA", publicKey: "02ab", delegatedTo: undefined, isImported: false },
    });
    const keys = await Promise.all([active, creating, failed].map(({ keyId }) => readKey(database, keyId)));
    expect(keys).toMatchObject([
      { status: "Active", origin: "generated", scheme: "ECDSA", requester },
      { status: "Creating", authorisation: { payload: Buffer.of(1), signature: Buffer.of(2) } },
      { status: "Failed", problem: { code: "KeyGenerationFailed" } },
    ]);
    const waiting = await database.rows(
      z.object({ subject: z.string(), payload: z.unknown() }),
      "select subject, payload from outbox where subject like 'conclave.request.%'",
    );
    expect(waiting).toEqual([{ subject: "conclave.request.key", payload: { keyId: creating.keyId } }]);
  });
});
