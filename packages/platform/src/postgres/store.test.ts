import { openVirtualWorld } from "@conclave/cluster/testing";
import {
  type ChainRequestEvent,
  newWebhook,
  organisationIdSchema,
  type Transaction,
  type Transfer,
  transactionIdSchema,
  transferIdSchema,
  webhookIdSchema,
} from "@conclave/custody";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { Outage } from "../outage.ts";
import { freshDatabase, type StatementFate, startSilentProxy } from "../testing/index.ts";
import { openMemoryDatabase } from "../testing/memory-database.ts";
import { SIGNING_EVENTS, sampleSignature, sampleTransfer } from "../testing/sample-requests.ts";
import { sampleWallet, storeWallet } from "../testing/sample-wallet.ts";
import { processWorld } from "../world.ts";
import { withAdvisoryLock } from "./advisory-lock.ts";
import { type Database, openDatabase } from "./database.ts";
import { claimDue, enqueue, finishClaim, postponeClaim } from "./due-requests/index.ts";
import { listEvents } from "./events.ts";
import { isMigrated, migrate } from "./migrate.ts";
import { OUTBOX_SUBJECT } from "./outbox.ts";
import { insertOrganisation } from "./people/organisations.ts";
import { changeChainRequest } from "./requests/chain-request-change.ts";
import { insertChainRequest, lockChainRequest, readTransfer } from "./requests/chain-requests.ts";
import { commitRequest, readVersionedRequest, type VersionedRequest } from "./requests/commit-request.ts";
import { commitSignature, readVersionedSignature } from "./requests/commit-signature.ts";
import { insertSignature } from "./requests/signatures.ts";
import { isUniqueViolation } from "./unique-violation.ts";
import { DELIVERIES_SUBJECT } from "./webhooks/webhook-deliveries.ts";
import { insertWebhook } from "./webhooks/webhooks.ts";

/** A store that a test can take away. */
interface Opened {
  readonly store: Database;
  /** Statements are not answered from now on, and nothing is done. */
  readonly vanish: () => void;
  /** What is sent next with these words, or this value, is done, and its answer is lost; nothing is answered after it. */
  readonly loseAnswerTo: (sent: string) => void;
  /** how many statements were answered */
  readonly answers: () => number;
  readonly comeBack: () => void;
  readonly close: () => Promise<void>;
}

/** wide enough for a busy machine: what is slow here is taken for lost */
const BOUNDS = { connectMs: 2_000, answerMs: 2_000, askMs: 50, closeMs: 200 };
const announced: string[] = [];
const announce = (subject: string): void => void announced.push(subject);

const onPostgres = async (): Promise<Opened> => {
  const proxy = await startSilentProxy(await freshDatabase("empty"));
  const store = openDatabase({ url: proxy.url, name: "store", bounds: BOUNDS, announce });
  return {
    store,
    vanish: proxy.silence,
    loseAnswerTo: proxy.silenceAfter,
    answers: proxy.answers,
    comeBack: proxy.restore,
    close: async () => {
      await store.close();
      await proxy.stop();
    },
  };
};

const inMemory = async (): Promise<Opened> => {
  let isAway = false;
  let answers = 0;
  let lost: string | undefined;
  const fate = (text: string, values: readonly unknown[]): StatementFate | undefined => {
    if (isAway) return "unsent";
    isAway = lost !== undefined && (text === lost || values.includes(lost));
    if (isAway) return "unanswered";
    answers += 1;
    return undefined;
  };
  const store = await openMemoryDatabase({ nowMs: processWorld.nowMs, announce, fate });
  return {
    store,
    vanish: () => {
      isAway = true;
    },
    loseAnswerTo: (sent) => {
      lost = sent;
    },
    answers: () => answers,
    comeBack: () => {
      [isAway, lost] = [false, undefined];
    },
    close: () => store.close(),
  };
};

const DATE = "2026-01-02T03:04:05.678Z";
const UNTIL_SIGNED = [{ kind: "Begun" }, ...SIGNING_EVENTS] as const satisfies readonly ChainRequestEvent[];

const count = z.object({ count: z.coerce.number() });
const LANE = "EthereumSepolia";

/** What everything above a store relies on: the one suite that each of them passes. */
describe.each([
  ["on PostgreSQL", onPostgres],
  ["in memory", inMemory],
] as const)("a store %s", (_, open) => {
  let opened: Opened;
  let store: Database;
  beforeAll(async () => {
    opened = await open();
    store = opened.store;
  });
  afterAll(() => opened?.close());
  beforeEach(async () => {
    opened.comeBack();
    announced.length = 0;
    await store.execute("drop schema public cascade; create schema public");
    await store.execute("create table boxes (id integer primary key, held jsonb)");
  });
  const put = (id: number) => store.execute("insert into boxes (id) values ($1)", [id]);
  const boxes = async (): Promise<number | undefined> =>
    (await store.rows(count, "select count(*) from boxes"))[0]?.count;
  const outage = (code: string) => (error: unknown) => error instanceof Outage && error.problem.code === code;

  it("gives each type of column as the schemas of rows take it", async () => {
    const [row] = await store.rows(
      z.record(z.string(), z.unknown()),
      `select $1::int8 as big, $2::numeric as exact, $3::bytea as bytes, $4::timestamptz as at, $5::jsonb as document,
              $6::text[] as texts, $7::text as nothing, $8::boolean as flag, $9::uuid as id`,
      [
        "9007199254740993",
        "1.50",
        Buffer.from([1, 2]),
        "2026-01-01T00:00:00.000Z",
        JSON.stringify({ a: [1] }),
        ["x", "y"],
        undefined,
        true,
        "5a5a5a5a-5a5a-5a5a-5a5a-5a5a5a5a5a5a",
      ],
    );
    expect(row).toMatchObject({
      big: "9007199254740993",
      exact: "1.50",
      document: { a: [1] },
      texts: ["x", "y"],
    });
    expect(row).toMatchObject({ nothing: null, flag: true, at: new Date("2026-01-01T00:00:00.000Z") });
    expect(row?.["bytes"]).toBeInstanceOf(Uint8Array);
  });

  it("says how many rows a statement changed", async () => {
    expect(await store.execute("insert into boxes (id) select n from generate_series(1, 5) n")).toBe(5);
    expect(await store.execute("delete from boxes where id > $1", [3])).toBe(2);
  });

  it("INV-6 commits a transaction whole, or nothing of it", async () => {
    await store.transaction(async (connection) => {
      await connection.execute("insert into boxes values (1)");
      await connection.execute("insert into boxes values (2)");
    });
    const failed = store.transaction(async (connection) => {
      await connection.execute("insert into boxes values (3)");
      throw new Error("crash before the commit");
    });
    await expect(failed).rejects.toThrow("crash before the commit");
    expect(await boxes()).toBe(2);
  });

  it("lets nobody commit a transaction in which a statement failed", async () => {
    const work = store.transaction(async (connection) => {
      await connection.execute("insert into boxes values (1)");
      await connection.execute("insert into boxes values (1)").catch(() => undefined);
    });
    await expect(work).rejects.toThrow("a statement of the transaction failed");
    expect(await boxes()).toBe(0);
  });

  it("names a constraint that a statement violates", async () => {
    await put(1);
    const error: unknown = await put(1).catch((thrown: unknown) => thrown);
    expect(isUniqueViolation(error, "boxes_pkey")).toBe(true);
  });

  it("tells what is announced once it is committed, each subject once, and nothing of what was rolled back", async () => {
    await store.transaction(async (connection) => {
      connection.announce("boxes");
      connection.announce("boxes");
      expect(announced).toEqual([]);
    });
    await store
      .transaction(async (connection) => {
        connection.announce("nothing");
        throw new Error("crash before the commit");
      })
      .catch(() => undefined);
    store.announce("at once");
    expect(announced).toEqual(["boxes", "at once"]);
  });

  it("INV-5 is an outage while it is away, does nothing then, and goes on when it is back", async () => {
    await put(1);
    opened.vanish();
    await expect(put(2)).rejects.toSatisfy(outage("ServiceUnavailable"));
    const work = store.transaction((connection) => connection.execute("insert into boxes values (3)"));
    await expect(work).rejects.toSatisfy(outage("ServiceUnavailable"));
    opened.comeBack();
    await put(4);
    expect(await boxes()).toBe(2);
  });

  it("INV-5 leaves a commit without an answer unknown: nobody is told that nothing was done", async () => {
    opened.loseAnswerTo("commit");
    const work = store.transaction((connection) => connection.execute("insert into boxes values (1)"));
    await expect(work).rejects.toSatisfy(outage("OutcomeUnknown"));
    opened.comeBack();
    expect(await boxes()).toBe(1);
  });

  it("commits a statement by itself", async () => {
    const number = z.object({ id: z.int() });
    expect(await store.commit(number, "insert into boxes values ($1) returning id", [7])).toEqual([
      { id: 7 },
    ]);
    const twice = store.commit(number, "insert into boxes values ($1) returning id", [7]);
    await expect(twice).rejects.toMatchObject({ code: "23505" });
    expect(await boxes()).toBe(1);
  });

  it("INV-5 leaves such a statement without an answer unknown, and goes on when it is back", async () => {
    const statement = "insert into boxes (id) values ($1) returning id";
    opened.loseAnswerTo("7");
    const work = store.commit(z.unknown(), statement, ["7"]);
    await expect(work).rejects.toSatisfy(outage("OutcomeUnknown"));
    opened.comeBack();
    expect(await boxes()).toBe(1);
    expect(await store.commit(z.unknown(), statement, ["8"])).toHaveLength(1);
  });

  it("lets one at a time do what only one may do, who may use it meanwhile", async () => {
    const done = await store.exclusively("boxes", async () => {
      expect(await store.exclusively("boxes", async () => "second")).toBeUndefined();
      await store.transaction((connection) => connection.execute("insert into boxes values (1)"));
      return "first";
    });
    expect(done).toEqual({ value: "first" });
    await expect(store.exclusively("boxes", () => Promise.reject(new Error("it failed")))).rejects.toThrow(
      "it failed",
    );
    const after = await withAdvisoryLock(store, "boxes", new AbortController().signal, async () => "third");
    expect(after).toBe("third");
  });

  it("calls a listener when it begins to hear, and at each notification", async () => {
    const heard = vi.fn();
    const subscription = store.listen("boxes", heard);
    await expect.poll(() => heard.mock.calls.length).toBe(1);
    await store.execute("notify boxes");
    await expect.poll(() => heard.mock.calls.length).toBe(2);
    await subscription.stop();
  });

  it("has the tables of this version once it is migrated", async () => {
    expect(await isMigrated(store)).toBe(false);
    await migrate(store);
    expect(await isMigrated(store)).toBe(true);
    expect(await migrate(store)).toEqual([]);
  });

  it("hands what is due to one process at a time, and the next of its line when that is done", async () => {
    await migrate(store);
    const orgId = processWorld.freshId(organisationIdSchema, "or");
    for (const id of ["xfr-1", "xfr-2"])
      await enqueue(store, { id, kind: "transfer", orgId, lane: LANE, line: "wa" });
    const claim = () => claimDue(store, new Map([[LANE, 4]]), crypto.randomUUID(), 10_000);
    const [first] = (await Promise.all([claim(), claim()])).flat();
    expect(first?.id).toBe("xfr-1");
    expect(await claim()).toEqual([]);
    await finishClaim(store, first ?? expect.fail("nothing is due"));
    expect((await claim()).map(({ id }) => id)).toEqual(["xfr-2"]);
  });

  describe("a request that is changed at the version that was read", () => {
    const orgId = processWorld.freshId(organisationIdSchema, "or");
    const wallet = sampleWallet(orgId);
    const BROADCASTED = { kind: "Broadcasted", date: DATE } as const;
    let transfer: Transfer;
    beforeEach(async () => {
      await migrate(store);
      await insertOrganisation(store, { id: orgId, name: "Acme", dateCreated: DATE });
      await storeWallet(store, wallet);
      for (const kind of ["wallet.transfer.broadcasted", "*", "wallet.transfer.failed"] as const) {
        const ids = { id: processWorld.freshId(webhookIdSchema, "wh"), orgId };
        const body = { url: "https://example.com", events: [kind], status: "Enabled" as const };
        await insertWebhook(store, newWebhook(ids, body, DATE), new Uint8Array(1));
      }
      transfer = sampleTransfer(wallet);
      await insertChainRequest(store, transfer);
      announced.length = 0;
    });
    const seen = async (): Promise<VersionedRequest> =>
      (await readVersionedRequest(store, transfer.id)) ?? expect.fail("no request");
    const commit = async (event: ChainRequestEvent) => commitRequest(store, await seen(), event);
    /** As the gateway and its locks change it. */
    const change = (event: ChainRequestEvent) =>
      store.transaction(async (connection) => {
        const locked = (await lockChainRequest(connection, transfer.id)) ?? expect.fail("no request");
        return changeChainRequest(connection, locked, event);
      });
    const signed = async (): Promise<void> => {
      for (const event of UNTIL_SIGNED) expect(await commit(event)).toMatchObject({ kind: "committed" });
    };
    const written = async () => {
      const rows = (table: string) =>
        store.rows(z.record(z.string(), z.unknown()), `select * from ${table} order by id`);
      return {
        events: await rows("events"),
        deliveries: await rows("webhook_deliveries"),
        outbox: await rows("outbox"),
      };
    };

    it("INV-6 is committed with one event, one message, and a delivery for each webhook that asked, which are told then", async () => {
      await signed();
      expect(await written()).toEqual({ events: [], deliveries: [], outbox: [] });
      expect(announced).toEqual([]);
      const outcome = await commit(BROADCASTED);
      expect(outcome).toMatchObject({ kind: "committed", changed: { request: { status: "Broadcasted" } } });
      expect(outcome.kind === "committed" && outcome.changed.request).toMatchObject({
        ...(await readTransfer(store, transfer.id)),
        authorisation: expect.anything(),
        unsignedTransaction: expect.anything(),
        signedTransaction: expect.anything(),
        exclusion: expect.anything(),
      });
      const { events, deliveries, outbox } = await written();
      const [event] = await listEvents(store, transfer.id);
      const { id, kind, data } = event ?? expect.fail("no event");
      const message = { id, kind, date: DATE, orgId, data };
      expect(kind).toBe("wallet.transfer.broadcasted");
      expect(events).toHaveLength(1);
      expect(outbox).toMatchObject([
        { message_id: id, subject: kind, payload: message, date_published: null },
      ]);
      expect(deliveries).toMatchObject([
        { kind, data, attempts: 0 },
        { kind, data, attempts: 0 },
      ]);
      expect(announced).toEqual([DELIVERIES_SUBJECT, OUTBOX_SUBJECT]);
    });

    it("INV-6 leaves the same behind as a change under a lock", async () => {
      const life = [...UNTIL_SIGNED, BROADCASTED, { kind: "Failed", date: DATE, reason: "so" }] as const;
      const left = async () => {
        const all = z.record(z.string(), z.unknown());
        const request = await store.rows(all, "select * from chain_requests");
        const events = await store.rows(
          all,
          "select kind, org_id, entity_id, data, date from events order by kind",
        );
        const deliveries = await store.rows(
          all,
          `select webhook_id, org_id, kind, data, date, attempts, date_due, date_leased from webhook_deliveries
           order by kind, webhook_id`,
        );
        const outbox = await store.rows(
          all,
          "select subject, payload - 'id' as payload from outbox order by id",
        );
        for (const table of ["outbox", "events", "webhook_deliveries", "chain_requests"])
          await store.execute(`delete from ${table}`);
        return { request, events, deliveries, outbox };
      };
      for (const event of life) expect(await commit(event)).toMatchObject({ kind: "committed" });
      const committed = await left();
      expect([committed.events.length, committed.deliveries.length, committed.outbox.length]).toEqual([
        2, 4, 2,
      ]);
      await insertChainRequest(store, transfer);
      for (const event of life) expect(await change(event)).toMatchObject({ ok: true });
      expect(await left()).toEqual(committed);
    });

    it("INV-4 INV-6 is in conflict when somebody else changed it, and nothing is written", async () => {
      await signed();
      const before = await seen();
      await change({ kind: "Waiting", reason: "the other was faster" });
      expect(await commitRequest(store, before, BROADCASTED)).toEqual({ kind: "conflict" });
      expect((await seen()).request).toMatchObject({ status: "Executing", reason: "the other was faster" });
      expect(await written()).toEqual({ events: [], deliveries: [], outbox: [] });
      expect(announced).toEqual([]);
      // as if it were gone
      await store.execute("delete from chain_requests");
      expect(await commitRequest(store, before, BROADCASTED)).toEqual({ kind: "conflict" });
    });

    it("is of the same version while nobody changes it, though it is read and locked", async () => {
      const { version } = await seen();
      await store.transaction((connection) => lockChainRequest(connection, transfer.id));
      expect((await seen()).version).toBe(version);
      expect(
        await readVersionedRequest(store, processWorld.freshId(transferIdSchema, "xfr")),
      ).toBeUndefined();
    });

    it("is refused an event that does not fit it", async () => {
      expect(await commit(BROADCASTED)).toMatchObject({
        kind: "refused",
        problem: { code: "RequestStateInvalid" },
      });
    });

    it("INV-5 has an unknown outcome when the answer is lost, and is looked at again", async () => {
      await signed();
      const before = await seen();
      opened.loseAnswerTo(transfer.id);
      expect(await commitRequest(store, before, BROADCASTED)).toMatchObject({
        kind: "unknown",
        outage: { problem: { code: "OutcomeUnknown" } },
      });
      expect(announced).toEqual([]);
      opened.comeBack();
      expect((await seen()).request.status).toBe("Broadcasted");
      expect(await commitRequest(store, before, BROADCASTED)).toEqual({ kind: "conflict" });
      expect((await written()).events).toHaveLength(1);
    });

    it("takes locks where other rows change too: what died is kept, and a replacement that ends gives its place back", async () => {
      await signed();
      expect(await commit({ kind: "Died" })).toEqual({ kind: "takes-locks" });
      const { metadata: _, ...facts } = sampleTransfer(wallet);
      const replacement: Transaction = {
        ...facts,
        kind: "Transaction",
        id: processWorld.freshId(transactionIdSchema, "tx"),
        requestBody: { kind: "Evm", to: "0x00" },
        replacesId: transfer.id,
      };
      await insertChainRequest(store, replacement);
      const failed = { kind: "Failed", date: DATE, reason: "so" } as const;
      const read = async () => (await readVersionedRequest(store, replacement.id)) ?? expect.fail("none");
      expect(await commitRequest(store, await read(), failed)).toEqual({ kind: "takes-locks" });
      expect(await commitRequest(store, await read(), { kind: "Begun" })).toMatchObject({
        kind: "committed",
      });
      expect(await written()).toEqual({ events: [], deliveries: [], outbox: [] });
    });

    it("takes one round trip, where a transaction takes five", async () => {
      await signed();
      const before = await seen();
      let from = opened.answers();
      await commitRequest(store, before, BROADCASTED);
      expect(opened.answers() - from).toBe(1);
      from = opened.answers();
      await change({ kind: "Failed", date: DATE, reason: "so" });
      expect(opened.answers() - from).toBe(5);
    });

    it("INV-6 so is a request for a signature, from one version to the next that its commit tells", async () => {
      const request = sampleSignature(wallet);
      await insertSignature(store, request);
      const read = async () => (await readVersionedSignature(store, request.id)) ?? expect.fail("none");
      const before = await read();
      const from = opened.answers();
      const begun = await commitSignature(store, before, { kind: "Begun" });
      const { changed } = begun.kind === "committed" ? begun : expect.fail(begun.kind);
      const half = "5a".repeat(32);
      const signature = { r: `0x${half}`, s: `0x${half}`, encoded: `0x${half}${half}` };
      const signed = { kind: "Signed", date: DATE, signature, signedData: undefined } as const;
      expect(await commitSignature(store, changed, signed)).toMatchObject({ kind: "committed" });
      expect(opened.answers() - from).toBe(2);
      expect((await read()).signature).toMatchObject({ status: "Signed", signature });
      expect((await listEvents(store, request.id)).map(({ kind }) => kind)).toEqual([
        "wallet.signature.signed",
      ]);
      for (const old of [before, changed])
        expect(await commitSignature(store, old, { kind: "Failed", date: DATE, reason: "so" })).toEqual({
          kind: "conflict",
        });
      expect(await commitSignature(store, await read(), signed)).toMatchObject({
        kind: "refused",
        problem: { code: "SignatureStateInvalid" },
      });
      expect((await written()).events).toHaveLength(1);
    });
  });
});

describe("a store in memory", () => {
  it("has no time but the one that is handed in: what is put off is due when that has passed", async () => {
    const world = openVirtualWorld(Date.parse("2030-01-01T00:00:00.000Z"), "store");
    const pass = (ms: number): Promise<void> => {
      const over = world.sleep(ms);
      world.step(world.nowMs() + ms);
      return over;
    };
    const store = await openMemoryDatabase(world);
    await migrate(store);
    const orgId = processWorld.freshId(organisationIdSchema, "or");
    await enqueue(store, { id: "xfr-1", kind: "transfer", orgId, lane: LANE, line: undefined });
    const claim = () => claimDue(store, new Map([[LANE, 4]]), crypto.randomUUID(), 10_000);
    const [first] = await claim();
    await postponeClaim(store, first ?? expect.fail("nothing is due"), 15 * 60_000);
    await pass(15 * 60_000 - 1);
    expect(await claim()).toEqual([]);
    await pass(1);
    expect(await claim()).toHaveLength(1);
    const applied = z.object({ at: z.date() }).transform(({ at }) => at.toISOString());
    const [at] = await store.rows(applied, "select min(date_applied) as at from schema_migrations");
    expect(at).toBe("2030-01-01T00:00:00.000Z");
    await store.close();
  });
});
