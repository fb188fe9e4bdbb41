import { sign, verify } from "node:crypto";
import { AUTHORISATION_AGE_MS_MAX, authorisedActSchema, authorisedAtMs } from "@conclave/custody";
import { makeLogger } from "@conclave/platform";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { makeAuthority, makeRenewal } from "./authority.ts";
import { RENEW_AFTER_MS, renewAll } from "./renew-authorisations.ts";
import { CLUSTER, startWorld, type World } from "./testing/world.ts";

const RECIPIENT = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
const payment = { kind: "Native", to: RECIPIENT, amount: "5" };
const hash = { kind: "Hash", hash: "ab".repeat(32) };
const HOUR_MS = 3_600_000;
const madeSchema = z.looseObject({ id: z.string(), status: z.string() });

let world: World;
let walletId: string;
beforeAll(async () => {
  // short, as most requests wait for an orchestrator that does not answer
  world = await startWorld({ settlementWaitMs: 2_000 });
  walletId = madeSchema.parse((await world.call("POST", "/wallets", { network: "EthereumSepolia" })).body).id;
  // from here on no orchestrator answers
  world.script(undefined);
});
afterAll(() => world.stop());
beforeEach(async () => {
  // so that requests of earlier tests are not renewed
  await world.database.execute("update chain_requests set status = 'Rejected'");
  await world.database.execute("update signatures set status = 'Rejected'");
  await world.database.execute("delete from keys where status = 'Creating'");
});

const pay = async (): Promise<string> =>
  madeSchema.parse((await world.call("POST", `/wallets/${walletId}/transfers`, payment)).body).id;
const askSignature = async (): Promise<string> =>
  madeSchema.parse((await world.call("POST", `/wallets/${walletId}/signatures`, hash)).body).id;
/** A key that waits for the signers. */
const askKey = async (): Promise<string> => {
  await world.call("POST", "/keys", { scheme: "ECDSA", curve: "secp256k1" });
  const [key] = await world.database.rows(
    z.object({ id: z.string() }),
    "select id from keys where status = 'Creating' order by date_created desc limit 1",
  );
  return key?.id ?? expect.fail("no key waits");
};

type Table = "chain_requests" | "signatures" | "keys";
const bytes = z.instanceof(Uint8Array);
const datedSchema = z.looseObject({ dateRequested: z.string(), dateAuthorised: z.string().optional() });
/** The authorisation in a row, after checking that the authority signed it. */
const authorisationOf = async (table: Table, id: string) => {
  const [row] = await world.database.rows(
    z.object({ authorisation: bytes, authorisation_signature: bytes }),
    `select authorisation, authorisation_signature from ${table} where id = $1`,
    [id],
  );
  if (row === undefined) throw new Error(`no ${id}`);
  const { authorisation, authorisation_signature: signature } = row;
  expect(verify(null, authorisation, world.authorityKey, signature)).toBe(true);
  return datedSchema.parse(JSON.parse(Buffer.from(authorisation).toString("utf8")));
};

/** Runs a renewal with a clock that is `ms` ahead. @returns the number of renewals */
const renewIn = (ms: number, batch?: number): Promise<number> => {
  const now = (): Date => new Date(Date.now() + ms);
  const authority = makeAuthority(world.authoritySigningKey, CLUSTER, now);
  return renewAll(
    {
      database: world.database,
      renewal: makeRenewal(world.authoritySigningKey, CLUSTER, authority),
      now,
      logger: makeLogger({ name: "gateway", level: "silent" }),
    },
    batch,
  );
};

describe("INV-5 an authorisation that is still wanted", () => {
  it.each<readonly [string, Table, () => Promise<string>]>([
    ["of a transfer", "chain_requests", pay],
    ["of a signature", "signatures", askSignature],
    ["of a key", "keys", askKey],
  ])("%s is signed anew, with the date alone changed", async (_, table, ask) => {
    const id = await ask();
    const before = await authorisationOf(table, id);
    expect(await renewIn(HOUR_MS)).toBeGreaterThan(0);
    const { dateAuthorised, ...after } = await authorisationOf(table, id);
    const { dateAuthorised: dateBefore, ...rest } = before;
    expect(after).toEqual(rest);
    expect(Date.parse(dateAuthorised ?? "") - Date.parse(dateBefore ?? "")).toBeGreaterThanOrEqual(
      HOUR_MS - 1_000,
    );
    // once per renewal interval
    expect(await renewIn(HOUR_MS + RENEW_AFTER_MS / 2)).toBe(0);
  });

  it("is signed anew long before signers find it too old, and not each time that the gateway looks", async () => {
    const id = await pay();
    await renewIn(0);
    const before = await authorisationOf("chain_requests", id);
    expect(await renewIn(RENEW_AFTER_MS / 2)).toBe(0);
    expect(await authorisationOf("chain_requests", id)).toEqual(before);
    expect(await renewIn(RENEW_AFTER_MS + 1_000)).toBe(1);
    expect(RENEW_AFTER_MS).toBeLessThan(AUTHORISATION_AGE_MS_MAX / 2);
  });

  it("is not signed anew when it is of another cluster with the same authority, and gets its cluster when it names none", async () => {
    const named = async (cluster: string | undefined) => {
      const id = await pay();
      const before = await authorisationOf("chain_requests", id);
      expect(before["cluster"]).toBe(CLUSTER);
      const payload = Buffer.from(
        JSON.stringify({ ...before, cluster, dateAuthorised: before.dateRequested }),
      );
      await world.database.execute(
        "update chain_requests set authorisation = $2, authorisation_signature = $3, date_authorised = null where id = $1",
        [id, payload, sign(null, payload, world.authoritySigningKey)],
      );
      await renewIn(HOUR_MS);
      return authorisationOf("chain_requests", id);
    };
    const ofAnother = await named("another");
    expect(ofAnother).toMatchObject({ cluster: "another", dateAuthorised: ofAnother.dateRequested });
    expect(await named(undefined)).toMatchObject({ cluster: CLUSTER });
  });

  it("is signed anew however many wait", async () => {
    await renewIn(HOUR_MS);
    for (let many = 0; many < 5; many += 1) await pay();
    expect(await renewIn(HOUR_MS, 2)).toBe(5);
  });

  it("is signed anew when a clock that was ahead had signed it", async () => {
    const id = await pay();
    await renewIn(24 * HOUR_MS);
    expect(await renewIn(0)).toBeGreaterThan(0);
    expect(authorisedAtMs(await authorisationOf("chain_requests", id))).toBeLessThanOrEqual(Date.now());
  });

  it.each<readonly [string, Table, () => Promise<string>]>([
    ["of a transfer", "chain_requests", pay],
    ["of a signature", "signatures", askSignature],
    ["of a key", "keys", askKey],
  ])(
    "%s that was asked for by a clock that was ahead is dated now: signers wait for no date",
    async (_, table, ask) => {
      const id = await ask();
      const date = new Date(Date.now() + HOUR_MS).toISOString();
      const made = { ...(await authorisationOf(table, id)), dateRequested: date, dateAuthorised: date };
      const payload = Buffer.from(JSON.stringify(made));
      const dated = table === "keys" ? "date_created" : "date_requested";
      await world.database.execute(
        `update ${table} set authorisation = $2, authorisation_signature = $3, ${dated} = $4, date_authorised = null where id = $1`,
        [id, payload, sign(null, payload, world.authoritySigningKey), date],
      );
      const before = await authorisationOf(table, id);
      expect(await renewIn(0)).toBeGreaterThan(0);
      const after = await authorisationOf(table, id);
      const dates = { dateRequested: "", dateAuthorised: "" };
      expect({ ...after, ...dates }).toEqual({ ...before, ...dates });
      expect(Date.parse(after.dateRequested)).toBeLessThanOrEqual(Date.now());
      expect(authorisedAtMs(after)).toBeLessThanOrEqual(Date.now());
      expect(await renewIn(0)).toBe(0);
    },
  );

  it("of version 0.1 is signed anew in the form of this version, and means the same", async () => {
    const id = await pay();
    const { cosigners, dateAuthorised, cluster, ...act } = await authorisationOf("chain_requests", id);
    expect([cosigners, typeof dateAuthorised]).toEqual([[], "string"]);
    const old = { ...act, version: 1 };
    const payload = Buffer.from(JSON.stringify(old), "utf8");
    await world.database.execute(
      "update chain_requests set authorisation = $2, authorisation_signature = $3 where id = $1",
      [id, payload, sign(null, payload, world.authoritySigningKey)],
    );
    expect(await renewIn(HOUR_MS)).toBe(1);
    const { dateAuthorised: dateNow, ...after } = await authorisationOf("chain_requests", id);
    expect(after).toEqual({ ...authorisedActSchema.parse(old), cluster });
    expect(dateNow).toBeDefined();
  });
});

describe("INV-8 judged when: the requester's permission, renewal; the requester's user, token and application, renewal:", () => {
  const rowSchema = z.object({ status: z.string(), reason: z.string().nullable() });
  const rowOf = async (table: Table, id: string) =>
    (await world.database.rows(rowSchema, `select status, reason from ${table} where id = $1`, [id]))[0];
  const askBy = async (token: string, kind: "transfers" | "signatures"): Promise<string> => {
    const body = kind === "transfers" ? payment : hash;
    const authorization = `Bearer ${token}`;
    const answer = await world.call("POST", `/wallets/${walletId}/${kind}`, body, { authorization });
    return madeSchema.parse(answer.body).id;
  };
  const ENDS = [
    ["was deactivated", "update users set is_active = false where id = $1", /is active no more$/],
    [
      "lost the permission",
      "delete from permission_assignments where identity_id = $1",
      /has no permission for Wallets:\w+ any more$/,
    ],
  ] as const;
  const TABLES = [
    ["transfers", "chain_requests", "Rejected", "wallet.transfer.rejected"],
    ["signatures", "signatures", "Failed", "wallet.signature.failed"],
  ] as const;

  it.each(
    ENDS.flatMap(([what, end, reason]) => TABLES.map((table) => [what, ...table, end, reason] as const)),
  )(
    "of somebody who %s none of the %s is signed anew: it ends, and says why",
    async (_, kind, table, status, event, end, reason) => {
      const { caller, token } = await world.tokenOf(["Wallets:TransferAsset", "Wallets:GenerateSignature"]);
      const id = await askBy(token, kind);
      await world.database.execute(end, [caller.userId]);
      const before = await authorisationOf(table, id);
      expect(await renewIn(RENEW_AFTER_MS + 1_000)).toBe(0);
      expect(await authorisationOf(table, id)).toEqual(before);
      expect(await rowOf(table, id)).toMatchObject({ status, reason: expect.stringMatching(reason) });
      const recorded = await world.database.rows(
        z.object({ kind: z.string() }),
        "select kind from events where entity_id = $1 and kind = $2",
        [id, event],
      );
      expect(recorded).toHaveLength(1);
    },
  );

  it.each([
    ["it", "chain_requests", "requester", (id: string, _userId: string) => id],
    ["the person who asked for it", "users", "kind", (_id: string, userId: string) => userId],
  ] as const)(
    "INV-5 one is not signed anew while %s cannot be read, and keeps no others waiting",
    async (_, table, column, spoilt) => {
      const { caller, token } = await world.tokenOf(["Wallets:TransferAsset"]);
      const unreadable = await askBy(token, "transfers");
      const others = [await pay(), await pay()];
      const before = await authorisationOf("chain_requests", unreadable);
      const id = spoilt(unreadable, caller.userId);
      await world.database.execute(`alter table ${table} disable trigger user`);
      // a newer version may write kinds of users that this one does not know
      await world.database.execute("alter table users drop constraint if exists users_kind_check");
      const words = table === "users" ? "'nobody'" : `'"words"'`;
      await world.database.execute(`update ${table} set ${column} = ${words} where id = $1`, [id]);
      await world.database.execute(`alter table ${table} enable trigger user`);
      expect(await renewIn(RENEW_AFTER_MS + 1_000, 1)).toBe(others.length);
      expect(await authorisationOf("chain_requests", unreadable)).toEqual(before);
      expect(await rowOf("chain_requests", unreadable)).toEqual({ status: "Pending", reason: null });
    },
  );

  it("INV-4 a signed request goes on, for every requester", async () => {
    const { caller, token } = await world.tokenOf(["Wallets:TransferAsset"]);
    const id = await askBy(token, "transfers");
    await world.database.execute(
      "update chain_requests set status = 'Executing', unsigned_transaction = '\\x01', signed_transaction = '\\x02' where id = $1",
      [id],
    );
    await world.database.execute("update users set is_active = false where id = $1", [caller.userId]);
    await renewIn(RENEW_AFTER_MS + 1_000);
    expect(await rowOf("chain_requests", id)).toEqual({ status: "Executing", reason: null });
  });
});

describe("INV-8 nobody renews the authorisation", () => {
  /** Whether a renewal an hour later leaves a row unchanged. */
  const isLeft = async (id: string): Promise<boolean> => {
    const before = await authorisationOf("chain_requests", id);
    await renewIn(HOUR_MS);
    return JSON.stringify(await authorisationOf("chain_requests", id)) === JSON.stringify(before);
  };

  it("of a transfer that was aborted, whatever its status says", async () => {
    const id = await pay();
    expect((await world.call("PUT", `/wallets/${walletId}/transfers/${id}/abort`, {})).status).toBe(200);
    expect(await isLeft(id)).toBe(true);
    await world.database.execute("update chain_requests set status = 'Executing' where id = $1", [id]);
    expect(await isLeft(id)).toBe(true);
  });

  it.each([
    ["that failed", "status = 'Failed'"],
    ["that was rejected", "status = 'Rejected'"],
    [
      "that was broadcast",
      "status = 'Broadcasted', unsigned_transaction = '\\x01', signed_transaction = '\\x02'",
    ],
    ["that is signed", "status = 'Executing', unsigned_transaction = '\\x01', signed_transaction = '\\x02'"],
  ])("of a transfer %s", async (_, change) => {
    const id = await pay();
    await world.database.execute(`update chain_requests set ${change} where id = $1`, [id]);
    expect(await isLeft(id)).toBe(true);
  });

  it("of another request, that was copied into a row which is wanted", async () => {
    const [aborted, wanted] = [await pay(), await pay()];
    await world.call("PUT", `/wallets/${walletId}/transfers/${aborted}/abort`, {});
    await world.database.execute(
      `update chain_requests set authorisation = a.authorisation, authorisation_signature = a.authorisation_signature
       from chain_requests a where a.id = $1 and chain_requests.id = $2`,
      [aborted, wanted],
    );
    expect(await isLeft(wanted)).toBe(true);
  });

  it("INV-4 of a raised fee that nobody signed in 30 days: signers would forget what it replaces", async () => {
    const id = await pay();
    const old = "date_requested = now() - interval '31 days'";
    await world.database.execute(`update chain_requests set is_fee_bump = true, ${old} where id = $1`, [id]);
    expect(await isLeft(id)).toBe(true);
    const statuses = z.object({ status: z.string() });
    expect(
      await world.database.rows(statuses, "select status from chain_requests where id = $1", [id]),
    ).toEqual([{ status: "Failed" }]);
  });

  it("that the authority has not signed", async () => {
    const id = await pay();
    const [row] = await world.database.rows(
      z.object({ authorisation: bytes }),
      "select authorisation from chain_requests where id = $1",
      [id],
    );
    const forged = Buffer.from(row?.authorisation ?? expect.fail("no row"));
    forged.write('"amount":"6"', forged.indexOf('"amount":"5"'));
    await world.database.execute("update chain_requests set authorisation = $2 where id = $1", [id, forged]);
    expect(await renewIn(HOUR_MS)).toBe(0);
  });
});

describe("INV-5 a request that this authority has not signed, as after a change of its key, does not wait for ever", () => {
  const REASON = "the authority of this gateway did not sign it: ask for it again";
  const statusSchema = z.object({ status: z.string() });
  const spoil = (table: Table, id: string): Promise<number> =>
    world.database.execute(`update ${table} set authorisation_signature = $2 where id = $1`, [
      id,
      new Uint8Array(64),
    ]);
  const statusOf = async (table: Table, id: string): Promise<string | undefined> =>
    (await world.database.rows(statusSchema, `select status from ${table} where id = $1`, [id]))[0]?.status;
  const eventsOf = (id: string) =>
    world.database.rows(
      z.object({ kind: z.string() }).transform(({ kind }) => kind),
      "select kind from events where entity_id = $1",
      [id],
    );

  it.each<readonly [string, Table, () => Promise<string>, string]>([
    ["a transfer", "chain_requests", pay, "wallet.transfer.failed"],
    ["a signature", "signatures", askSignature, "wallet.signature.failed"],
  ])("%s fails once its authorisation is too old", async (_, table, ask, event) => {
    const id = await ask();
    await spoil(table, id);
    await renewIn(AUTHORISATION_AGE_MS_MAX - 60_000);
    expect(["Failed", "Rejected"]).not.toContain(await statusOf(table, id));
    await renewIn(AUTHORISATION_AGE_MS_MAX + 60_000);
    expect(await statusOf(table, id)).toBe("Failed");
    expect(await eventsOf(id)).toContain(event);
    const [row] = await world.database.rows(
      z.object({ reason: z.string() }),
      `select reason from ${table} where id = $1`,
      [id],
    );
    expect(row?.reason).toBe(REASON);
  });

  it("a key that is being made fails", async () => {
    const id = await askKey();
    await spoil("keys", id);
    await renewIn(HOUR_MS);
    expect(await statusOf("keys", id)).toBe("Failed");
  });

  it("a payload fails that nobody can read", async () => {
    const id = await pay();
    const payload = Buffer.from("{");
    await world.database.execute(
      "update chain_requests set authorisation = $2, authorisation_signature = $3 where id = $1",
      [id, payload, sign(null, payload, world.authoritySigningKey)],
    );
    await renewIn(HOUR_MS);
    expect(await statusOf("chain_requests", id)).toBe("Failed");
  });
});
