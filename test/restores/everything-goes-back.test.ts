import type { Cluster } from "@conclave/testbed";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { FAMILY_NETWORKS, type FamilyPayer, makePayers } from "../integration/family-payments.ts";
import { startCluster } from "../integration/throw-away-cluster.ts";
import { RestoredParts } from "./restored-parts.ts";
import { differences, endsOf, paymentUntil, sendRounds, someUntil, untilOld } from "./sent-payments.ts";

const SIGNERS = [1, 2, 3];
const START_MS = 180_000;
const TEST_MS = 1_200_000;
const ORCHESTRATOR = "orchestrator";
/** Without these, too few signers are left to sign. */
const AWAY = ["signer-2", "signer-3"];
/**
 * On chains that do not count transactions, an orchestrator asks, for requests older than this, what the wallet has sent since
 * their authorisation.
 */
const LATE_MS = 30_000;

let cluster: Cluster;
let payers: readonly FamilyPayer[];
let parts: RestoredParts;

beforeAll(async () => {
  cluster = await startCluster({ signers: SIGNERS.length, threshold: 2, networks: FAMILY_NETWORKS });
  payers = await makePayers(cluster);
}, START_MS);
beforeEach(() => {
  parts = new RestoredParts(cluster, { signers: SIGNERS, database: true });
  return () => parts.forget();
});
afterAll(() => cluster?.stop(), START_MS);

type Sent = Awaited<ReturnType<typeof sendRounds>>;

/** Copies everything at this stage of the payments, and restores it once all have ended: each must end as before, paid once. */
const goBack = async (sent: Sent): Promise<void> => {
  const sentMs = Date.now();
  await parts.copy([ORCHESTRATOR]);
  const before = await endsOf(cluster, sent);
  for (const { status } of before) expect(status).toBe("Confirmed");
  await untilOld(sentMs, LATE_MS);
  await parts.putBack([ORCHESTRATOR]);
  expect(await differences(cluster, sent, before)).toEqual([]);
};

/** Expects that the wallets still work, for the next test. */
const expectMore = async (times: bigint): Promise<void> => {
  for (const { status } of await endsOf(cluster, await sendRounds(payers, times)))
    expect(status).toBe("Confirmed");
};

describe("INV-4 INV-5 all signers' stores and the database go back to one moment, and the chains stay", () => {
  it("before any transfer was begun: each ends as what it was, paid once", { timeout: TEST_MS }, async () => {
    cluster.pause(ORCHESTRATOR);
    await goBack(await sendRounds(payers, 3n));
    await expectMore(7n);
  });

  it("when all were built and waited for signers: each ends as what it was, paid once", {
    timeout: TEST_MS,
  }, async () => {
    for (const signer of AWAY) cluster.pause(signer);
    const sent = await sendRounds(payers, 11n);
    await Promise.all(sent.map((each) => paymentUntil(cluster, each, ({ reason }) => reason !== undefined)));
    await goBack(sent);
    await expectMore(17n);
  });

  it("when some were on their way and others were not signed: each ends as what it was, paid once", {
    timeout: TEST_MS,
  }, async () => {
    cluster.pause(ORCHESTRATOR);
    const sent = await sendRounds(payers, 21n);
    cluster.resume(ORCHESTRATOR);
    await someUntil(cluster, sent, 3, ({ txHash }) => txHash !== undefined);
    await goBack(sent);
    await expectMore(27n);
  });
});

describe("INV-4 INV-5 all signers' stores go back to one moment, and neither the database nor the chains", () => {
  it("while some transfers were on their way: each is paid once", { timeout: TEST_MS }, async () => {
    const stores = new RestoredParts(cluster, { signers: SIGNERS, database: false });
    for (const signer of AWAY) cluster.pause(signer);
    const sent = await sendRounds(payers, 31n);
    await Promise.all(sent.map((each) => paymentUntil(cluster, each, ({ reason }) => reason !== undefined)));
    await stores.copy();
    await someUntil(cluster, sent, 3, ({ txHash }) => txHash !== undefined);
    await stores.putBack();
    stores.forget();
    const ends = await endsOf(cluster, sent);
    for (const { status } of ends) expect(status).toBe("Confirmed");
    expect(await differences(cluster, sent, ends)).toEqual([]);
    await expectMore(37n);
  });
});
