import {
  type ChainRequestEvent,
  newWebhook,
  organisationIdSchema,
  type Transaction,
  type Transfer,
  transferIdSchema,
  webhookIdSchema,
} from "@conclave/custody";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import {
  SIGNING_EVENTS,
  sampleSignature,
  sampleTransaction,
  sampleTransfer,
} from "../../testing/sample-requests.ts";
import { sampleWallet, storeWallet } from "../../testing/sample-wallet.ts";
import { type OpenedStore, STORES } from "../../testing/store/stores.ts";
import { processWorld } from "../../world.ts";
import type { Database } from "../database.ts";
import { DUE_SUBJECT, dueChainRequest } from "../due-requests/index.ts";
import { listEvents } from "../events.ts";
import { OUTBOX_SUBJECT } from "../outbox.ts";
import { insertOrganisation } from "../people/organisations.ts";
import { changeChainRequest } from "../requests/chain-request-change.ts";
import { chainRequestWrites } from "../requests/chain-request-writes.ts";
import { insertChainRequest, lockChainRequest, readTransfer } from "../requests/chain-requests.ts";
import {
  commitRequest,
  commitRequests,
  readVersionedRequest,
  readVersionedRequests,
  type VersionedRequest,
} from "../requests/commit-request.ts";
import { commitSignature, readVersionedSignature } from "../requests/commit-signature.ts";
import { listDeadTransactions } from "../requests/dead-transactions.ts";
import { insertSignature } from "../requests/signatures.ts";
import { readWalletLine } from "../requests/wallet-line.ts";
import { DELIVERIES_SUBJECT } from "../webhooks/webhook-deliveries.ts";
import { insertWebhook } from "../webhooks/webhooks.ts";
import { commitRows, writeRows } from "./commit.ts";

const DATE = "2026-01-02T03:04:05.678Z";
const UNTIL_SIGNED = [{ kind: "Begun" }, ...SIGNING_EVENTS] as const satisfies readonly ChainRequestEvent[];

/** The tables that the tests write, each before the tables to which it refers. */
const WRITTEN = [
  "webhook_deliveries",
  "outbox",
  "events",
  "due_requests",
  "dead_transactions",
  "signatures",
  "chain_requests",
  "wallets",
  "keys",
  "webhooks",
  "organisations",
];

const announced: string[] = [];

/** Commits at the versions that were read: the same suite for each store. */
describe.each(STORES)("a store %s", (_, open) => {
  let opened: OpenedStore;
  let store: Database;
  beforeAll(async () => {
    opened = await open((subject) => void announced.push(subject));
    store = opened.store;
    await opened.migrate();
  });
  afterAll(() => opened?.close());
  beforeEach(async () => {
    opened.comeBack();
    await store.execute(WRITTEN.map((table) => `delete from ${table}`).join(";"));
  });

  describe("a request that is changed at the version that was read", () => {
    const orgId = processWorld.freshId(organisationIdSchema, "or");
    const wallet = sampleWallet(orgId);
    const BROADCASTED = { kind: "Broadcasted", date: DATE } as const;
    let transfer: Transfer;
    beforeEach(async () => {
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
    /** Changes the request as the gateway does, under locks. */
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

    it("INV-6 is committed with one event, one message, and a delivery for each webhook that asked, which are announced then", async () => {
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

    it("INV-6 writes the same rows as a change under a lock", async () => {
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
      // as if the request had never existed
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

    it("INV-4 INV-6 stores the dead transaction, and enqueues the request again with it", async () => {
      await signed();
      const due = [dueChainRequest(transfer, undefined)];
      announced.length = 0;
      const died = { seen: await seen(), events: [{ kind: "Died" }] } as const;
      expect(await commitRequests(store, [died], { due })).toMatchObject({ kind: "committed" });
      expect(announced).toEqual([DUE_SUBJECT]);
      const dead = await listDeadTransactions(store, transfer.id);
      expect(dead.map(({ unsigned }) => [...unsigned])).toEqual([[2, 1]]);
      expect((await seen()).request).toMatchObject({ status: "Executing", deadTransactions: 1 });
      expect(await store.rows(z.object({ id: z.string() }), "select id from due_requests")).toEqual([
        { id: transfer.id },
      ]);
      // a commit that lost the race stores no dead transaction, and enqueues nothing
      await store.execute("delete from due_requests");
      expect(await commitRequests(store, [died], { due })).toEqual({ kind: "conflict" });
      expect(await listDeadTransactions(store, transfer.id)).toHaveLength(1);
      expect(await store.rows(z.object({ id: z.string() }), "select id from due_requests")).toEqual([]);
    });

    describe("and that another one replaces", () => {
      const failed = { kind: "Failed", date: DATE, reason: "so" } as const;
      let replacement: Transaction;
      beforeEach(async () => {
        await signed();
        replacement = sampleTransaction(wallet, { replacesId: transfer.id });
        await insertChainRequest(store, replacement);
        await change({ kind: "Replaced", by: replacement.id });
      });
      const read = async () => (await readVersionedRequest(store, replacement.id)) ?? expect.fail("none");

      it("is the current one again when that one ends unsigned, in the same commit", async () => {
        const from = opened.answers();
        expect(await commitRequest(store, await read(), failed)).toMatchObject({ kind: "committed" });
        // three round trips: two reads and one write of both
        expect(opened.answers() - from).toBe(3);
        expect((await seen()).request.replacementId).toBeUndefined();
        expect((await written()).events).toMatchObject([{ kind: "wallet.transaction.failed" }]);
      });

      it("INV-4 also when that one was built in its place: it gives the place back first", async () => {
        const [built] = SIGNING_EVENTS;
        const other = { ...built, unsignedTransaction: Uint8Array.of(2, 2) };
        const builtNow = [{ seen: await read(), events: [{ kind: "Begun" }, other] }] as const;
        expect(await commitRequests(store, builtNow)).toMatchObject({ kind: "committed" });
        expect((await read()).request.sequence).toBe((await seen()).request.sequence);
        expect(await commitRequest(store, await read(), failed)).toMatchObject({ kind: "committed" });
        expect((await seen()).request.replacementId).toBeUndefined();
      });

      it("INV-6 and when it has changed meanwhile, neither is written", async () => {
        const before = await read();
        const slow: Database = {
          ...store,
          commit: async (schema, text, values) => {
            await change({ kind: "Waiting", reason: "the other was faster" });
            return store.commit(schema, text, values);
          },
        };
        expect(await commitRequest(slow, before, failed)).toEqual({ kind: "conflict" });
        expect((await read()).request.status).toBe("Pending");
        expect((await seen()).request).toMatchObject({ replacementId: replacement.id });
        expect((await written()).events).toEqual([]);
      });

      it("keeps the mark of a later replacement", async () => {
        const later = sampleTransaction(wallet, { replacesId: transfer.id });
        await insertChainRequest(store, later);
        const mark = "update chain_requests set replacement_id = $2 where id = $1";
        await store.execute(mark, [transfer.id, later.id]);
        expect(await commitRequest(store, await read(), failed)).toMatchObject({ kind: "committed" });
        expect((await seen()).request.replacementId).toBe(later.id);
      });
    });

    it("takes one round trip, where a transaction takes four", async () => {
      await signed();
      const before = await seen();
      let from = opened.answers();
      await commitRequest(store, before, BROADCASTED);
      expect(opened.answers() - from).toBe(1);
      from = opened.answers();
      await change({ kind: "Failed", date: DATE, reason: "so" });
      expect(opened.answers() - from).toBe(4);
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

  describe("rows that are committed together", () => {
    const orgId = processWorld.freshId(organisationIdSchema, "or");
    const wallet = sampleWallet(orgId);
    const BEGUN = [{ kind: "Begun" }] as const;
    let first: VersionedRequest;
    let second: VersionedRequest;
    beforeEach(async () => {
      await insertOrganisation(store, { id: orgId, name: "Acme", dateCreated: DATE });
      await storeWallet(store, wallet);
      const requests = [sampleTransfer(wallet), sampleTransfer(wallet)];
      for (const request of requests) await insertChainRequest(store, request);
      const read = await readVersionedRequests(
        store,
        requests.map(({ id }) => id),
      );
      [first, second] = [read[0] ?? expect.fail("none"), read[1] ?? expect.fail("none")];
      announced.length = 0;
    });
    const both = () => [
      { seen: first, events: BEGUN },
      { seen: second, events: BEGUN },
    ];
    const begun = z.object({ count: z.coerce.number() });
    const countBegun = async () =>
      (await store.rows(begun, "select count(*) from chain_requests where status = 'Executing'"))[0]?.count;
    const touch = (id: string) =>
      store.execute("update chain_requests set reason = reason where id = $1", [id]);
    const line = async () => (await readWalletLine(store, wallet.id, first.request.id)).row;

    it("are all written, in one round trip, and each is of the version that the commit tells", async () => {
      const from = opened.answers();
      const outcome = await commitRequests(store, both());
      expect(opened.answers() - from).toBe(1);
      expect(await countBegun()).toBe(2);
      const [one] = outcome.kind === "committed" ? outcome.changed : expect.fail(outcome.kind);
      expect(one).toEqual(await readVersionedRequest(store, first.request.id));
    });

    it("INV-6 none of which is written when one has changed, whichever it is", async () => {
      for (const { request } of [first, second]) {
        await touch(request.id);
        expect(await commitRequests(store, both())).toEqual({ kind: "conflict" });
        expect(await countBegun()).toBe(0);
      }
      expect(announced).toEqual([]);
    });

    it("INV-4 nor when a row has changed that was only read", async () => {
      const expected = [{ table: "chain_requests", id: second.request.id, version: second.version }] as const;
      await touch(second.request.id);
      const change = { seen: first, events: BEGUN };
      expect(await commitRequests(store, [change], { expect: expected })).toEqual({ kind: "conflict" });
      expect(await countBegun()).toBe(0);
      expect(await commitRequests(store, [change])).toMatchObject({ kind: "committed" });
    });

    it("INV-5 have an unknown outcome when the answer is lost, and are looked at again", async () => {
      opened.loseAnswerTo(second.request.id);
      expect(await commitRequests(store, both())).toMatchObject({ kind: "unknown" });
      opened.comeBack();
      expect(await countBegun()).toBe(2);
      expect(await commitRequests(store, both())).toEqual({ kind: "conflict" });
    });

    it("are refused as a mistake when one is named twice, or none", async () => {
      const twice = [both()[0] ?? expect.fail("none"), both()[0] ?? expect.fail("none")];
      await expect(commitRequests(store, twice)).rejects.toThrow("names a row twice");
      await expect(commitRequests(store, [])).rejects.toThrow("expects no row");
      expect(await countBegun()).toBe(0);
    });

    it("are refused as a mistake when a row is updated without its version", async () => {
      const decided = await chainRequestWrites(async () => undefined, first, BEGUN);
      const writes = { ...(decided.ok ? decided.value : expect.fail("refused")), due: [] };
      const expected = [{ table: "chain_requests", id: second.request.id, version: second.version }] as const;
      await expect(commitRows(store, { ...writes, expect: expected })).rejects.toThrow("does not expect");
      expect(await countBegun()).toBe(0);
    });

    it("INV-6 write nothing of a change under a lock when its row does not exist", async () => {
      const gone = { request: sampleTransfer(wallet) };
      const decided = await chainRequestWrites(async () => undefined, gone, [
        ...UNTIL_SIGNED,
        { kind: "Died" },
      ]);
      const writes = { ...(decided.ok ? decided.value : expect.fail("refused")), due: [] };
      await expect(store.transaction((connection) => writeRows(connection, writes))).rejects.toThrow(
        "a row is not there to be updated",
      );
      expect(await listDeadTransactions(store, gone.request.id)).toEqual([]);
    });

    it("INV-4 give a wallet's line another version when a place is taken, changed or open again, and by nothing else", async () => {
      let before = (await line()).version;
      const changes = async (events: readonly ChainRequestEvent[], isAnother: boolean) => {
        const seen = (await readVersionedRequest(store, first.request.id)) ?? expect.fail("none");
        expect(await commitRequests(store, [{ seen, events }])).toMatchObject({ kind: "committed" });
        const { version } = await line();
        expect([events[0]?.kind, version !== before]).toEqual([events[0]?.kind, isAnother]);
        before = version;
      };
      const [built, signing] = SIGNING_EVENTS;
      const inclusion = { date: DATE, fee: "1", blockNumber: 1n, blockHash: "0x01" };
      await changes(BEGUN, false);
      await changes([{ kind: "Waiting", reason: "so" }], false);
      await changes([built], true);
      await changes([signing], false);
      await changes([{ kind: "Broadcasted", date: DATE }], false);
      await changes([{ kind: "Confirmed", ...inclusion }], false);
      await changes([{ kind: "Reorganised", date: DATE }], true);
      await changes([{ kind: "Died" }], true);
      await changes([built], true);
      // a failure frees room in the line, so nothing that was decided before becomes wrong
      await changes([{ kind: "Failed", date: DATE, reason: "so" }], false);
    });

    it("give the line another version when what was signed is dead", async () => {
      const [built, signing] = SIGNING_EVENTS;
      const until = [...BEGUN, built, signing, { kind: "Broadcasted", date: DATE }] as const;
      expect(await commitRequests(store, [{ seen: first, events: until }])).toMatchObject({
        kind: "committed",
      });
      const { version } = await line();
      const seen = (await readVersionedRequest(store, first.request.id)) ?? expect.fail("none");
      await commitRequest(store, seen, { kind: "Failed", date: DATE, reason: "so" });
      expect((await line()).version).not.toBe(version);
    });

    it("INV-4 take no place in a line that another request has changed meanwhile", async () => {
      const [built] = SIGNING_EVENTS;
      const row = await line();
      const take = (seen: VersionedRequest) =>
        commitRequests(store, [{ seen, events: [...BEGUN, built] }], { expect: [row] });
      expect(await take(first)).toMatchObject({ kind: "committed" });
      expect(await take(second)).toEqual({ kind: "conflict" });
      const now = await readWalletLine(store, wallet.id, second.request.id);
      expect(now).toMatchObject({ isHeld: true, highest: 7n });
      expect(await readWalletLine(store, wallet.id, first.request.id)).toMatchObject({ isHeld: false });
    });
  });
});
