import {
  type ChainRequestEvent,
  organisationIdSchema,
  type Transaction,
  type Transfer,
  transactionIdSchema,
  type Webhook,
  webhookIdSchema,
} from "@conclave/custody";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { freshId } from "../../fresh-id.ts";
import { Outage } from "../../outage.ts";
import { freshDatabase, orchestratorLogin } from "../../testing/index.ts";
import { SIGNING_EVENTS, sampleTransaction, sampleTransfer } from "../../testing/sample-requests.ts";
import { sampleWallet, storeWallet } from "../../testing/sample-wallet.ts";
import { type Database, openDatabase } from "../database.ts";
import { listEvents } from "../events.ts";
import { lockWallet } from "../keys/wallets.ts";
import { insertOrganisation } from "../people/organisations.ts";
import { deleteWebhook, insertWebhook } from "../webhooks/webhooks.ts";
import { changeChainRequest } from "./chain-request-change.ts";
import { insertChainRequest, lockChainRequest, readChainRequest } from "./chain-requests.ts";
import {
  commitRequest,
  commitRequests,
  readVersionedRequest,
  readVersionedRequests,
  type VersionedRequest,
} from "./commit-request.ts";
import { readWalletLine } from "./wallet-line.ts";

const DATE = "2026-01-02T03:04:05.678Z";
const SIGNED = "unsigned_transaction = '\\x02', signed_transaction = '\\x04', tx_hash = '0x01'";
const orgId = freshId(organisationIdSchema, "or");
const wallet = sampleWallet(orgId, { externalId: "committed" });

let owner: Database;
let orchestrator: Database;
let transfer: Transfer;
beforeAll(async () => {
  const url = await freshDatabase();
  owner = openDatabase({ url, name: "gateway" });
  orchestrator = openDatabase({ url: await orchestratorLogin(url), name: "orchestrator" });
  await insertOrganisation(owner, { id: orgId, name: "Acme", dateCreated: DATE });
  await storeWallet(owner, wallet);
});
afterAll(async () => {
  await orchestrator.close();
  await owner.close();
});
beforeEach(async () => {
  transfer = sampleTransfer(wallet);
  await insertChainRequest(owner, transfer);
});

/** Changes the row as the owner of the tables, who may change anything. */
const arrange = (change: string) =>
  owner.execute(`update chain_requests set ${change} where id = $1`, [transfer.id]);
const seen = async (): Promise<VersionedRequest> =>
  (await readVersionedRequest(orchestrator, transfer.id)) ?? expect.fail("no request");
const eventsOf = async () => (await listEvents(owner, transfer.id)).map(({ kind }) => kind);

/** Number of statements that wait for a lock of another transaction. */
const waitingForLocks = async (): Promise<number | undefined> => {
  const query =
    "select count(*) from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()";
  return (await owner.rows(z.object({ count: z.coerce.number() }), query))[0]?.count;
};
const BROADCASTED: ChainRequestEvent = { kind: "Broadcasted", date: DATE };

describe("two who commit a change of one version", () => {
  const kindsOf = (outcomes: readonly { readonly kind: string }[]) => outcomes.map(({ kind }) => kind).sort();

  it("INV-4 INV-6 side by side: one commits, the others are in conflict, and there is one event", async () => {
    await arrange(`status = 'Executing', ${SIGNED}`);
    const read = await seen();
    const outcomes = await Promise.all(
      [orchestrator, owner, orchestrator, owner].map((database) =>
        commitRequest(database, read, BROADCASTED),
      ),
    );
    expect(kindsOf(outcomes)).toEqual(["committed", "conflict", "conflict", "conflict"]);
    expect(await eventsOf()).toEqual(["wallet.transfer.broadcasted"]);
  });

  it("INV-4 one of which waits for the lock that the other holds, and is in conflict when that has changed it", async () => {
    await arrange(`status = 'Executing', ${SIGNED}`);
    const read = await seen();
    let outcome: Promise<{ readonly kind: string }> | undefined;
    await owner.transaction(async (connection) => {
      await connection.execute("update chain_requests set reason = 'so' where id = $1", [transfer.id]);
      outcome = commitRequest(orchestrator, read, BROADCASTED);
      await expect.poll(waitingForLocks).toBe(1);
    });
    expect(await outcome).toEqual({ kind: "conflict" });
    expect(await eventsOf()).toEqual([]);
    expect((await seen()).request).toMatchObject({ status: "Executing", reason: "so" });
  });
});

describe("INV-4 of all who take a place in one wallet's line at once", () => {
  const [built] = SIGNING_EVENTS;
  const AT_ONCE = 8;
  const apart = sampleWallet(orgId);
  const requests = async (): Promise<readonly VersionedRequest[]> => {
    const made = Array.from({ length: AT_ONCE }, () => sampleTransfer(apart));
    for (const request of made) await insertChainRequest(owner, request);
    return readVersionedRequests(
      orchestrator,
      made.map(({ id }) => id),
    );
  };

  beforeAll(() => storeWallet(owner, apart));
  beforeEach(() =>
    owner.execute("update chain_requests set sequence = null where wallet_id = $1", [apart.id]),
  );

  it("one takes it, and the others are in conflict", async () => {
    const seen = await requests();
    const { row } = await readWalletLine(orchestrator, apart.id, transfer.id);
    const outcomes = await Promise.all(
      seen.map((one) =>
        commitRequests(orchestrator, [{ seen: one, events: [{ kind: "Begun" }, built] }], { expect: [row] }),
      ),
    );
    const kinds = outcomes.map(({ kind }) => kind).sort();
    expect(kinds).toEqual(["committed", ...Array.from({ length: AT_ONCE - 1 }, () => "conflict")]);
  });

  it("nobody waits for another for ever, in whichever order they name their rows", async () => {
    const seen = await requests();
    const changes = seen.map((one) => ({ seen: one, events: [{ kind: "Begun" }] as const }));
    const outcomes = await Promise.all(
      Array.from({ length: AT_ONCE }, (_, at) =>
        commitRequests(at % 2 === 0 ? orchestrator : owner, at < 4 ? changes : changes.toReversed()),
      ),
    );
    expect(outcomes.filter(({ kind }) => kind === "committed")).toHaveLength(1);
    expect(outcomes.filter(({ kind }) => kind === "conflict")).toHaveLength(AT_ONCE - 1);
  });

  it("a commit that waits for one that takes it under a lock, as an earlier version does, is in conflict", async () => {
    const [one, other] = await requests();
    const { row } = await readWalletLine(orchestrator, apart.id, transfer.id);
    let outcome: Promise<unknown> | undefined;
    await owner.transaction(async (connection) => {
      await lockWallet(connection, apart.id);
      const locked = await lockChainRequest(connection, one?.request.id ?? expect.fail("none"));
      const begun = await changeChainRequest(connection, locked ?? expect.fail("none"), { kind: "Begun" });
      outcome = commitRequests(
        orchestrator,
        [{ seen: other ?? expect.fail("none"), events: [{ kind: "Begun" }, built] }],
        { expect: [row] },
      );
      await expect.poll(waitingForLocks).toBe(1);
      await changeChainRequest(connection, begun.ok ? begun.value : expect.fail("not begun"), built);
    });
    expect(await outcome).toEqual({ kind: "conflict" });
  });
});

describe("INV-5 a replacement that the gateway ends while an orchestrator changes its replacement chain", () => {
  const failed = { kind: "Failed", date: DATE, reason: "so" } as const;
  const aborted = { kind: "Aborted", date: DATE, reason: "so" } as const;
  /** An id that begins with this digit: rows are locked in the order of their ids. */
  const idFrom = (digit: string) =>
    transactionIdSchema.parse(
      `tx-${digit.repeat(5)}${freshId(transactionIdSchema, "tx").slice("tx-12345".length)}`,
    );

  /** A request that is broadcast, and its replacement, which was built in its place. */
  const lineOfTwo = async (lower: "replaced" | "replacement") => {
    const own = sampleWallet(orgId);
    await storeWallet(owner, own);
    const replaced = sampleTransaction(own, { id: idFrom("1") });
    const id = idFrom(lower === "replaced" ? "2" : "0");
    const replacement = sampleTransaction(own, { id, replacesId: replaced.id });
    const [built, signed] = SIGNING_EVENTS;
    await insertChainRequest(owner, replaced);
    await changeInTurn(replaced.id, [{ kind: "Begun" }, built, signed, BROADCASTED]);
    await insertChainRequest(owner, replacement);
    await changeInTurn(replaced.id, [{ kind: "Replaced", by: replacement.id }]);
    await changeInTurn(replacement.id, [
      { kind: "Begun" },
      { ...built, unsignedTransaction: Uint8Array.of(2, 2) },
    ]);
    return { replaced: replaced.id, replacement: replacement.id };
  };
  const changeInTurn = async (id: Transaction["id"], events: readonly ChainRequestEvent[]) => {
    for (const event of events) {
      const read = (await readVersionedRequest(owner, id)) ?? expect.fail("no request");
      expect(await commitRequest(owner, read, event)).toMatchObject({ kind: "committed" });
    }
  };

  it.each([
    ["replaced", "replaced"],
    ["replaced", "replacement"],
    ["replacement", "replaced"],
    ["replacement", "replacement"],
  ] as const)(
    "blocks neither of the two: the %s is changed, and the %s has the lower id",
    async (which, lower) => {
      const line = await lineOfTwo(lower);
      const changed = line[which];
      const read = (await readVersionedRequest(orchestrator, changed)) ?? expect.fail("no request");
      let outcome: Promise<unknown> | undefined;
      await owner.transaction(async (connection) => {
        const locked = (await lockChainRequest(connection, line.replacement)) ?? expect.fail("no request");
        outcome = commitRequest(orchestrator, read, failed).catch((error: unknown) => error);
        await expect.poll(waitingForLocks).toBe(1);
        expect((await changeChainRequest(connection, locked, aborted)).ok).toBe(true);
      });
      expect(await outcome).toEqual({ kind: "conflict" });
      expect(await readChainRequest(owner, line.replacement)).toMatchObject({
        status: "Failed",
        reason: "so",
      });
    },
  );

  it("is in conflict where the server ends one of two that wait for each other", async () => {
    const line = await lineOfTwo("replaced");
    const read = await readVersionedRequests(orchestrator, [line.replaced, line.replacement]);
    const changes = read.map((one) => {
      const isBroadcast = one.request.status === "Broadcasted";
      return { seen: one, events: [isBroadcast ? failed : ({ kind: "Waiting", reason: "so" } as const)] };
    });
    const lock = "select id from chain_requests where id = $1 for update";
    let outcome: Promise<unknown> | undefined;
    await owner.transaction(async (connection) => {
      // the other transaction must be the one that PostgreSQL aborts; it locks the higher row first, which no service
      // does
      await connection.execute("set local deadlock_timeout to '1h'");
      await connection.execute(lock, [line.replacement]);
      outcome = commitRequests(orchestrator, changes).catch((error: unknown) => error);
      await expect.poll(waitingForLocks).toBe(1);
      await connection.execute(lock, [line.replaced]);
    });
    expect(await outcome).toEqual({ kind: "conflict" });
  });
});

describe("INV-6 a webhook that is deleted while a change is reported", () => {
  it.each(["of a commit at a version", "of a transaction"] as const)(
    "blocks neither of the two: %s",
    async (kind) => {
      const id = freshId(webhookIdSchema, "wh");
      const webhook: Webhook = {
        id,
        orgId,
        url: "https://example.com",
        events: ["*"],
        status: "Enabled",
        description: undefined,
        dateCreated: DATE,
        dateUpdated: DATE,
      };
      await insertWebhook(owner, webhook, Uint8Array.of(1));
      await arrange(`status = 'Executing', ${SIGNED}`);
      const read = await seen();
      const change = (): Promise<unknown> =>
        kind === "of a transaction"
          ? orchestrator.transaction((connection) =>
              changeChainRequest(connection, read.request, BROADCASTED),
            )
          : commitRequest(orchestrator, read, BROADCASTED);
      let outcome: Promise<unknown> | undefined;
      await owner.transaction(async (connection) => {
        await deleteWebhook(connection, orgId, id);
        outcome = change().catch((error: unknown) => error);
        await expect.poll(waitingForLocks).toBe(1);
      });
      expect(await outcome).toMatchObject(kind === "of a transaction" ? { ok: true } : { kind: "committed" });
      expect(await eventsOf()).toEqual(["wallet.transfer.broadcasted"]);
      expect(await owner.rows(z.object({}), "select id from webhook_deliveries")).toEqual([]);
    },
  );
});

describe("INV-8 with the login of orchestrators a commit is refused what the guards refuse, and writes nothing", () => {
  const REFUSED = { code: "42501" };

  it("a request that nobody has authorised is not begun", async () => {
    const claimed = await seen();
    await arrange("authorisation = null, authorisation_signature = null, policy_decision = null");
    const { version } = await seen();
    await expect(
      commitRequest(orchestrator, { request: claimed.request, version }, { kind: "Begun" }),
    ).rejects.toMatchObject(REFUSED);
    expect(await readChainRequest(owner, transfer.id)).toMatchObject({ status: "Pending" });
  });

  it("nothing of another owner is written, nor that its own has aborted it", async () => {
    const aborted = { kind: "Aborted", date: DATE, reason: "by nobody" } as const;
    await expect(commitRequest(orchestrator, await seen(), aborted)).rejects.toMatchObject(REFUSED);
    const read = await seen();
    const forged = { ...read.request, policyDecision: undefined };
    await expect(
      commitRequest(orchestrator, { ...read, request: forged }, { kind: "Begun" }),
    ).rejects.toMatchObject(REFUSED);
    expect(await eventsOf()).toEqual([]);
    expect((await seen()).version).toBe(read.version);
  });

  it("a signed request stays signed", async () => {
    await arrange(`status = 'Executing', ${SIGNED}`);
    const read = await seen();
    const unsigned = { ...read.request, signedTransaction: undefined, txHash: undefined };
    const failed = { kind: "Failed", date: DATE, reason: "so" } as const;
    await expect(commitRequest(orchestrator, { ...read, request: unsigned }, failed)).rejects.toMatchObject(
      REFUSED,
    );
    expect(await eventsOf()).toEqual([]);
    expect(await readChainRequest(owner, transfer.id)).toMatchObject({ status: "Executing", txHash: "0x01" });
  });

  it("INV-5 an earlier version commits although a later one stored further data of the asset", async () => {
    await arrange(`metadata = jsonb_set(metadata, '{asset,later}', '"so"')`);
    expect(await commitRequest(orchestrator, await seen(), { kind: "Begun" })).toMatchObject({
      kind: "committed",
    });
    const later = "select metadata -> 'asset' ->> 'later' as later from chain_requests where id = $1";
    expect(await owner.rows(z.object({ later: z.string() }), later, [transfer.id])).toEqual([
      { later: "so" },
    ]);
  });

  it("and a permitted change is written", async () => {
    expect(await commitRequest(orchestrator, await seen(), { kind: "Begun" })).toMatchObject({
      kind: "committed",
    });
  });
});

describe("a database that cannot be reached", () => {
  it("INV-5 is an outage, and not an unknown outcome: nothing was sent", async () => {
    const nowhere = openDatabase({ url: "postgres://u:p@127.0.0.1:9/none", name: "nowhere" });
    const committing = commitRequest(nowhere, await seen(), { kind: "Begun" });
    await expect(committing).rejects.toSatisfy(
      (error) => error instanceof Outage && error.problem.code === "ServiceUnavailable",
    );
    await nowhere.close();
  });
});
