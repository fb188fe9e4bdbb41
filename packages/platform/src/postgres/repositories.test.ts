import {
  type ChainRequest,
  type ChainRequestEvent,
  chainRequestRequested,
  organisationIdSchema,
  transferIdSchema,
} from "@conclave/custody";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { freshId } from "../fresh-id.ts";
import { appendToOutbox } from "../testing/append-to-outbox.ts";
import { freshDatabase } from "../testing/index.ts";
import { SIGNING_EVENTS, sampleTransaction, sampleTransfer } from "../testing/sample-requests.ts";
import { sampleWallet, storeWallet } from "../testing/sample-wallet.ts";
import { type Database, openDatabase } from "./database.ts";
import { listEvents, recordEvents } from "./events.ts";
import { insertWallet } from "./keys/wallets.ts";
import { migrate } from "./migrate.ts";
import { insertOrganisation, readOrganisation } from "./people/organisations.ts";
import { relayOnce } from "./relay.ts";
import { changeChainRequest } from "./requests/chain-request-change.ts";
import {
  insertChainRequest,
  listTransactions,
  listTransfers,
  lockChainRequest,
  readTransaction,
  readTransfer,
} from "./requests/chain-requests.ts";
import { highestSequence, listSignedWithSequence } from "./requests/sequences.ts";
import { readWalletLine } from "./requests/wallet-line.ts";

const count = z.object({ count: z.string() });
const date = "2026-01-02T03:04:05.678Z";

/** Applies events to a request one by one, as the services do. */
const live = async <R extends ChainRequest>(request: R, life: readonly ChainRequestEvent[]) => {
  for (const event of life) {
    await database.transaction(async (connection) => {
      const locked = await lockChainRequest(connection, request.id);
      if (locked === undefined) throw new Error("the request is gone");
      const changed = await changeChainRequest(connection, locked, event);
      if (!changed.ok) throw new Error(changed.problem.message);
    });
  }
};
const SIGNED = [
  { kind: "Begun" },
  { kind: "Waiting", reason: "waiting for signers" },
  ...SIGNING_EVENTS,
] as const;

let database: Database;
const orgId = freshId(organisationIdSchema, "or");

beforeAll(async () => {
  database = openDatabase({ url: await freshDatabase(), name: "test" });
  await migrate(database);
  await insertOrganisation(database, { id: orgId, name: "Acme", dateCreated: date });
});
afterAll(async () => {
  await database.close();
});

const rowsOf = async (table: "outbox" | "transfers" | "wallets"): Promise<number> => {
  const [row] = await database.rows(count, `select count(*) from ${table}`);
  return Number(row?.count);
};

describe("migrations", () => {
  it("are applied once, however many processes begin at the same time", async () => {
    const fresh = openDatabase({ url: await freshDatabase("empty"), name: "test" });
    const applied = await Promise.all([migrate(fresh), migrate(fresh), migrate(fresh)]);
    await fresh.close();
    expect(applied.filter((names) => names.length > 0)).toHaveLength(1);
  });
});

describe("organisations", () => {
  it("keep their first name when they are added again", async () => {
    await insertOrganisation(database, { id: orgId, name: "Other", dateCreated: date });
    expect(await readOrganisation(database, orgId)).toEqual({ id: orgId, name: "Acme", dateCreated: date });
  });
});

describe("transfers", () => {
  it("come back as they were stored, through their whole life", async () => {
    const wallet = sampleWallet(orgId);
    await storeWallet(database, wallet);
    const transfer = sampleTransfer(wallet, { externalId: "t-1" });
    expect(await insertChainRequest(database, transfer)).toBe(true);
    await recordEvents(database, [chainRequestRequested(transfer)]);
    await live(transfer, [
      ...SIGNED,
      { kind: "Broadcasted", date },
      { kind: "Confirmed", date, fee: "21000", blockNumber: 12n, blockHash: "0xbb" },
    ]);
    expect(await readTransfer(database, transfer.id)).toMatchObject({
      ...transfer,
      authorisation: expect.anything(),
      unsignedTransaction: expect.anything(),
      signedTransaction: expect.anything(),
      status: "Confirmed",
      sequence: 7n,
      exclusion: Buffer.of(7),
      details: { nonce: 7 },
      txHash: "0xaa",
      blockNumber: 12n,
      blockHash: "0xbb",
      fee: "21000",
      reason: undefined,
      dateBroadcasted: date,
      dateConfirmed: date,
      dateSettled: date,
    });
    expect(await highestSequence(database, wallet.id)).toBe(7n);
    expect((await listEvents(database, transfer.id)).map(({ kind }) => kind).sort()).toEqual([
      "wallet.transfer.broadcasted",
      "wallet.transfer.confirmed",
      "wallet.transfer.requested",
    ]);
  });

  it("list page by page without gap or repetition, though all have the same date", async () => {
    const wallet = sampleWallet(orgId);
    await storeWallet(database, wallet);
    const ids = new Set<string>();
    for (let index = 0; index < 5; index += 1) {
      const transfer = sampleTransfer(wallet);
      ids.add(transfer.id);
      await insertChainRequest(database, transfer);
    }
    const seen: string[] = [];
    let after: { date: string; id: string } | undefined;
    do {
      const page = await listTransfers(database, wallet.id, { limit: 2, after });
      seen.push(...page.map(({ id }) => id));
      const last = page.at(-1);
      after = last === undefined ? undefined : { date: last.dateRequested, id: last.id };
    } while (after !== undefined);
    expect(seen).toHaveLength(5);
    expect(new Set(seen)).toEqual(ids);
  });
});

describe("transactions", () => {
  it("come back as they were stored, and list apart from transfers", async () => {
    const wallet = sampleWallet(orgId);
    await storeWallet(database, wallet);
    const waiting = { policyDecision: undefined, authorisation: undefined, datePolicyResolved: undefined };
    const transaction = sampleTransaction(wallet, { ...waiting, approvalId: "ap-1" });
    await insertChainRequest(database, transaction);
    await insertChainRequest(database, sampleTransfer(wallet));
    expect(await readTransaction(database, transaction.id)).toEqual(transaction);
    expect(await listTransactions(database, wallet.id, { limit: 10 })).toEqual([transaction]);
    expect(await listTransfers(database, wallet.id, { limit: 10 })).toHaveLength(1);
  });

  it("have externalIds of their own, each used once", async () => {
    const wallet = sampleWallet(orgId);
    await storeWallet(database, wallet);
    expect(await insertChainRequest(database, sampleTransfer(wallet, { externalId: "c-1" }))).toBe(true);
    expect(await insertChainRequest(database, sampleTransaction(wallet, { externalId: "c-1" }))).toBe(true);
    expect(await insertChainRequest(database, sampleTransaction(wallet, { externalId: "c-1" }))).toBe(false);
  });

  it("INV-4 share an account's places with transfers: only what is replaced gives its own away", async () => {
    const wallet = sampleWallet(orgId);
    await storeWallet(database, wallet);
    const first = sampleTransfer(wallet);
    const second = sampleTransaction(wallet, { replacesId: first.id });
    for (const request of [first, second]) await insertChainRequest(database, request);
    await live(first, SIGNED);
    await expect(live(second, SIGNED.slice(0, 3))).rejects.toThrow("chain_requests_sequence");
    await live(first, [{ kind: "Replaced", by: second.id }]);
    await live(second, SIGNED.slice(2));
    expect((await listSignedWithSequence(database, wallet.id, 7n)).map(({ id }) => id).sort()).toEqual(
      [first.id, second.id].sort(),
    );
  });

  it("hold a place until a transaction in it is broadcast, or was mined and reverted", async () => {
    const wallet = sampleWallet(orgId);
    await storeWallet(database, wallet);
    const first = sampleTransfer(wallet);
    const second = sampleTransaction(wallet, { replacesId: first.id });
    for (const request of [first, second]) await insertChainRequest(database, request);
    await live(first, SIGNED);
    const other = freshId(transferIdSchema, "xfr");
    expect((await readWalletLine(database, wallet.id, other)).isHeld).toBe(true);
    await live(first, [
      { kind: "Broadcasted", date },
      { kind: "Replaced", by: second.id },
    ]);
    await live(second, SIGNED);
    expect((await readWalletLine(database, wallet.id, other)).isHeld).toBe(false);
    const inclusion = { fee: "1", blockNumber: 5n, blockHash: "0xbb" };
    await live(first, [{ kind: "Failed", date, inclusion, reason: "reverted" }]);
    expect((await readWalletLine(database, wallet.id, other)).isHeld).toBe(false);
  });

  it("that fail unsigned leave the request that they would have replaced as it was", async () => {
    const wallet = sampleWallet(orgId);
    await storeWallet(database, wallet);
    const first = sampleTransfer(wallet);
    const second = sampleTransaction(wallet, { replacesId: first.id });
    for (const request of [first, second]) await insertChainRequest(database, request);
    await live(first, [...SIGNED, { kind: "Replaced", by: second.id }]);
    await live(second, [{ kind: "Aborted", date, reason: "aborted" }]);
    expect(await readTransfer(database, first.id)).toMatchObject({ replacementId: undefined });
    expect(await readTransaction(database, second.id)).toMatchObject({
      status: "Rejected",
      reason: "aborted",
    });
  });
});

describe("the outbox", () => {
  it("keeps neither row nor message when the transaction fails", async () => {
    const before = [await rowsOf("wallets"), await rowsOf("outbox")];
    const work = database.transaction(async (connection) => {
      await insertWallet(connection, sampleWallet(orgId));
      await appendToOutbox(connection, {
        messageId: "lost",
        subject: "key.created",
        payload: {},
      });
      throw new Error("crash before the commit");
    });
    await expect(work).rejects.toThrow("crash before the commit");
    expect([await rowsOf("wallets"), await rowsOf("outbox")]).toEqual(before);
  });

  it("marks only what was acknowledged, and publishes the rest again", async () => {
    await relayOnce({ database, publish: async () => undefined });
    const message = { messageId: "evt-1", subject: "wallet.created", payload: { id: "evt-1" } };
    await appendToOutbox(database, message);
    const refuse = () => Promise.reject(new Error("no acknowledgement"));
    await expect(relayOnce({ database, publish: refuse })).rejects.toThrow("no acknowledgement");
    const published: unknown[] = [];
    const carried = await relayOnce({
      database,
      publish: async (each) => {
        published.push(each);
      },
    });
    expect([carried, published]).toEqual([1, [message]]);
  });
});
