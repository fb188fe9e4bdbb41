import { readdir, readFile } from "node:fs/promises";
import {
  keyIdSchema,
  networkSchema,
  organisationIdSchema,
  transferIdSchema,
  userIdSchema,
  walletIdSchema,
} from "@conclave/custody";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { freshId } from "../fresh-id.ts";
import { freshDatabase } from "../testing/index.ts";
import { sampleWallet, storeWallet } from "../testing/sample-wallet.ts";
import { type Database, openDatabase } from "./database.ts";
import { listFaults } from "./faults.ts";
import { readKey } from "./keys/keys.ts";
import { readWallet } from "./keys/wallets.ts";
import { migrate } from "./migrate.ts";
import { migrationNames, readMigration } from "./migration-file.ts";
import { readChainRequest } from "./requests/chain-requests.ts";
import { countFeeBumps, noteFeeWaits, takeFeeWaits } from "./requests/fee-waits.ts";
import { highestSequence } from "./requests/sequences.ts";

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

/** Brings the database to the state of a version: applies the files up to a number. */
const migrateTo = async (number: string, on = database): Promise<void> => {
  await on.execute(
    "create table schema_migrations (name text primary key, date_applied timestamptz not null)",
  );
  for (const name of (await readdir(FOLDER)).filter((file) => file <= `${number}~`).sort()) {
    await on.execute(await readFile(new URL(name, FOLDER), "utf8"));
    await on.execute("insert into schema_migrations values ($1, now())", [name]);
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

/** An open transfer as the last version before this format stored it: with a nonce, and an authorisation of version 1. */
const oldRequest = async (on: Database, walletId: string, nonce: number | null) => {
  const id = freshId(transferIdSchema, "xfr");
  const isSigned = nonce !== null;
  await on.execute(
    `insert into chain_requests (id, kind, org_id, wallet_id, network, requester, request_body, metadata, status,
       policy_decision, authorisation, authorisation_signature, nonce, unsigned_transaction, details,
       signed_transaction, tx_hash, date_requested)
     values ($1, 'Transfer', $2, $3, 'EthereumSepolia', $4, '{"kind":"Native","to":"0x00","amount":"1"}',
       '{"asset":{}}', $5, $6, '\\x01', '\\x02', $7, $8, $9, $10, $11, $12)`,
    [
      id,
      orgId,
      walletId,
      JSON.stringify(requester),
      isSigned ? "Broadcasted" : "Pending",
      JSON.stringify({ outcome: "Allowed", policies: [], date }),
      nonce,
      isSigned ? Buffer.of(3) : null,
      isSigned ? JSON.stringify({ nonce }) : null,
      isSigned ? Buffer.of(4) : null,
      isSigned ? "0x04" : null,
      date,
    ],
  );
  return id;
};

describe("a database of before evidence that anybody can check", () => {
  it("INV-7 keeps the faults that were recorded, and what they were shown with", async () => {
    const before = openDatabase({ url: await freshDatabase("empty"), name: "test" });
    try {
      await migrateTo("016", before);
      await before.execute(
        `insert into faults (culprit, reporter, session_id, check_name, evidence, date)
         values (2, 1, '\\x0707', 'presign/2 Πenc-elg', '["00ff"]', $1)`,
        [date],
      );
      await migrate(before);
      expect(await listFaults(before, (fault) => fault)).toMatchObject([
        { culprit: 2, reporter: 1, checkName: "presign/2 Πenc-elg", proven: undefined, date },
      ]);
      const kept = await before.rows(z.object({ evidence: z.unknown() }), "select evidence from faults");
      expect(kept).toEqual([{ evidence: ["00ff"] }]);
    } finally {
      await before.close();
    }
  });
});

describe("a database of before fees were raised", () => {
  it("INV-5 keeps its requests, which nobody but their callers asked for, and lets them wait", async () => {
    const before = openDatabase({ url: await freshDatabase("empty"), name: "test" });
    try {
      await migrateTo("015", before);
      await before.execute("insert into organisations values ($1, 'Acme', now())", [orgId]);
      const wallet = sampleWallet(orgId);
      await storeWallet(before, wallet);
      const id = await oldRequest(before, wallet.id, 7);
      for (const name of (await migrationNames()).filter((file) => file > "016" && file < "028")) {
        const file = await readMigration(name);
        const texts = file.kind === "script" ? [file.text] : file.statements.map(({ text }) => text);
        for (const text of texts) await before.execute(text);
        await before.execute("insert into schema_migrations values ($1, now())", [name]);
      }
      expect(await migrate(before)).toContain("028_fee_bumps.sql");
      const network = networkSchema.parse("EthereumSepolia");
      await noteFeeWaits(before, network, [{ requestId: id, sinceHeight: 9n }]);
      expect(await readChainRequest(before, id)).toMatchObject({ status: "Broadcasted", isFeeBump: false });
      expect(await takeFeeWaits(before, network, 9n, 1_000, 10)).toEqual([
        { requestId: id, sinceHeight: 9n },
      ]);
      expect(await countFeeBumps(before, [id])).toBe(0);
    } finally {
      await before.close();
    }
  });
});

describe("a database of before the families", () => {
  it("INV-5 keeps its requests under way, and the places that they hold", async () => {
    const before = openDatabase({ url: await freshDatabase("empty"), name: "test" });
    try {
      await migrateTo("015", before);
      await before.execute("insert into organisations values ($1, 'Acme', now())", [orgId]);
      const wallet = sampleWallet(orgId);
      await storeWallet(before, wallet);
      const [signed, waiting] = [
        await oldRequest(before, wallet.id, 7),
        await oldRequest(before, wallet.id, null),
      ];
      expect(await migrate(before)).toContain("016_families.sql");
      expect(await readChainRequest(before, signed)).toMatchObject({
        status: "Broadcasted",
        sequence: 7n,
        exclusion: undefined,
        deadTransactions: 0,
        details: { nonce: 7 },
        txHash: "0x04",
      });
      expect(await readChainRequest(before, waiting)).toMatchObject({
        status: "Pending",
        sequence: undefined,
      });
      expect(await highestSequence(before, wallet.id)).toBe(7n);
      await before.execute("update chain_requests set sequence = 9007199254740993 where id = $1", [signed]);
      expect(await highestSequence(before, wallet.id)).toBe(9_007_199_254_740_993n);
    } finally {
      await before.close();
    }
  });
});

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
      z.object({ id: z.string(), kind: z.string(), lane: z.string() }),
      "select id, kind, lane from due_requests union all select message_id, subject, '' from outbox",
    );
    expect(waiting).toEqual([{ id: creating.keyId, kind: "key", lane: "key" }]);
  });
});
