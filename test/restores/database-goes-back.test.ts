import { walletIdSchema } from "@conclave/custody";
import { listEvents } from "@conclave/platform";
import { type Cluster, fundAccount, waitUntil } from "@conclave/testbed";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { WebhookEar } from "../chaos/load/webhook-ear.ts";
import { FAMILY_NETWORKS, type FamilyPayer, makePayers } from "../integration/family-payments.ts";
import { asGateway } from "../integration/second-organisation.ts";
import { startCluster } from "../integration/throw-away-cluster.ts";
import { RestoredParts } from "./restored-parts.ts";
import {
  askAgain,
  differences,
  endsOf,
  paymentUntil,
  type ReadPayment,
  type SentPayment,
  sendRounds,
} from "./sent-payments.ts";

const START_MS = 180_000;
const DELIVERED_MS = 60_000;
const TEST_MS = 900_000;
const ORCHESTRATOR = "orchestrator";
/** Without these, too few signers are left to sign. */
const AWAY = ["signer-2", "signer-3"];

let cluster: Cluster;
let payers: readonly FamilyPayer[];
let parts: RestoredParts;
let ear: WebhookEar;

const webhookSchema = z.object({ secret: z.string() });

beforeAll(async () => {
  ear = await WebhookEar.listen(() => 1, 0);
  cluster = await startCluster({ signers: 3, threshold: 2, networks: FAMILY_NETWORKS });
  const asked = { url: ear.url, events: ["*"], status: "Enabled" };
  ear.secret = webhookSchema.parse((await cluster.api.send("POST", "/webhooks", asked)).body).secret;
  payers = await makePayers(cluster);
}, START_MS);
beforeEach(() => {
  parts = new RestoredParts(cluster, { signers: [], database: true });
  return () => parts.forget();
});
afterAll(async () => {
  await cluster?.stop();
  await ear?.close();
}, START_MS);

const transferSchema = z.object({ transferRequest: z.object({ status: z.string(), txHash: z.string() }) });

/** The transaction hashes in deliveries that a payment was confirmed. @param from index of the first delivery that counts */
const confirmedHashes = ({ request }: SentPayment, from: number): readonly string[] =>
  ear.heard
    .slice(from)
    .filter(({ kind, resourceId }) => kind === "wallet.transfer.confirmed" && resourceId === request.id)
    .map(({ content }) => transferSchema.parse(JSON.parse(content)).transferRequest.txHash);

/** INV-6 Expects that each end was delivered, always with the same hash. @param from index of the first delivery that counts */
const expectDelivered = async (
  sent: readonly SentPayment[],
  ends: readonly ReadPayment[],
  from: number,
): Promise<void> => {
  const undelivered = () => sent.filter((each) => confirmedHashes(each, from).length === 0);
  await waitUntil(async () => (undelivered().length === 0 ? true : undefined), {
    what: () =>
      `the ends of ${undelivered()
        .map(({ payer }) => payer.network)
        .join(", ")} to be delivered`,
    deadlineMs: DELIVERED_MS,
  });
  for (const [at, each] of sent.entries()) {
    expect(new Set(confirmedHashes(each, 0))).toEqual(new Set([ends[at]?.txHash]));
  }
  expect(ear.heard.filter(({ isSignedRight }) => !isSignedRight)).toEqual([]);
};

/** Expects that all payments are confirmed and delivered, before the database goes back. @returns their ends */
const confirmedOnce = async (sent: readonly SentPayment[]): Promise<readonly ReadPayment[]> => {
  const ends = await endsOf(cluster, sent);
  for (const { status } of ends) expect(status).toBe("Confirmed");
  await expectDelivered(sent, ends, 0);
  return ends;
};

/** Expects that each payment landed once under its old hash, that nobody was paid twice, and that the end was delivered again. */
const expectAsBefore = async (
  sent: readonly SentPayment[],
  before: readonly ReadPayment[],
  heard: number,
): Promise<void> => {
  expect(await differences(cluster, sent, before)).toEqual([]);
  await expectDelivered(sent, before, heard);
};

const arrivalSchema = z.object({
  blockchainEvent: z.object({ walletId: z.string(), txHash: z.string(), index: z.string() }),
});
const ARRIVED = "wallet.blockchainevent.detected";

/** The names of arrivals in deliveries. @param from index of the first delivery that counts */
const deliveredArrivals = (from: number): readonly string[] =>
  ear.heard
    .slice(from)
    .filter(({ kind }) => kind === ARRIVED)
    .map(({ content }) => {
      const { walletId, txHash, index } = arrivalSchema.parse(JSON.parse(content)).blockchainEvent;
      return [walletId, txHash, index].join(" ");
    });

/**
 * Waits until an arrival was delivered for each wallet. @returns the arrivals' names @param from index of the first delivery
 * that counts
 */
const arrivalsAt = (some: readonly FamilyPayer[], from: number): Promise<ReadonlySet<string>> =>
  waitUntil(
    async () => {
      const delivered = deliveredArrivals(from);
      const isDelivered = ({ wallet }: FamilyPayer) =>
        delivered.some((name) => name.startsWith(`${wallet.id} `));
      return some.every(isDelivered) ? new Set(delivered) : undefined;
    },
    { what: `arrivals at ${some.length} wallets`, deadlineMs: DELIVERED_MS },
  );

/** The ids of the wallets' arrival events, which the bus has too. */
const arrivalEvents = async (some: readonly FamilyPayer[]): Promise<ReadonlySet<string>> => {
  const database = asGateway(cluster);
  const lists = await Promise.all(
    some.map(({ wallet }) => listEvents(database, walletIdSchema.parse(wallet.id))),
  );
  await database.close();
  return new Set(lists.flat().flatMap(({ id, kind }) => (kind === ARRIVED ? [id] : [])));
};

/** Expects that the wallets still work, for the next test. */
const expectMore = async (times: bigint): Promise<void> => {
  await confirmedOnce(await sendRounds(payers, times));
};

describe("INV-4 INV-5 INV-6 the database loses its last minute, and every transfer ends as what it was", () => {
  it("goes back to before any was begun, and some were accepted, while the services run", {
    timeout: TEST_MS,
  }, async () => {
    cluster.pause(ORCHESTRATOR);
    const kept = await sendRounds(payers, 3n);
    await parts.copy();
    const lost = await sendRounds(payers, 5n, true);
    const sent = [...kept, ...lost];
    cluster.resume(ORCHESTRATOR);
    const before = await confirmedOnce(sent);
    const heard = ear.heard.length;
    await parts.putBack();
    expect(await askAgain(lost)).toEqual(lost.map(({ request }) => request.id));
    await expectAsBefore(sent, before, heard);
    await expectMore(7n);
  });

  it("goes back to a moment when they waited for signers, and the orchestrator starts anew", {
    timeout: TEST_MS,
  }, async () => {
    for (const signer of AWAY) cluster.pause(signer);
    const sent = await sendRounds(payers, 11n);
    await Promise.all(sent.map((each) => paymentUntil(cluster, each, ({ reason }) => reason !== undefined)));
    await parts.copy();
    for (const signer of AWAY) cluster.resume(signer);
    const before = await confirmedOnce(sent);
    const heard = ear.heard.length;
    await parts.putBack([ORCHESTRATOR]);
    await expectAsBefore(sent, before, heard);
    await expectMore(17n);
  });

  it("goes back to before payments from outside came: each is reported again, under the same name and event id", {
    timeout: TEST_MS,
  }, async () => {
    // the development chain's faucet sets balances without a transaction
    const paid = payers.filter(({ network }) => network !== cluster.description.chain.network);
    await parts.copy();
    const first = ear.heard.length;
    for (const { network, wallet } of paid)
      await fundAccount(cluster.description.networks, network, wallet.address, "2.5");
    const [names, ids] = [await arrivalsAt(paid, first), await arrivalEvents(paid)];
    const second = ear.heard.length;
    await parts.putBack();
    expect(await arrivalsAt(paid, second)).toEqual(names);
    expect(await arrivalEvents(paid)).toEqual(ids);
  });
});
