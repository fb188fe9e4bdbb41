// Restores the database together with some signers' stores, while other signers keep theirs: possibly only the chain remembers
// every transaction.
import type { Cluster } from "@conclave/testbed";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { FAMILY_NETWORKS, type FamilyPayer, makePayers } from "../integration/family-payments.ts";
import { conclave } from "../integration/liars/operators-command.ts";
import { PATIENCE_MS } from "../integration/patience.ts";
import { startCluster } from "../integration/throw-away-cluster.ts";
import { RestoredParts } from "./restored-parts.ts";
import { differences, endsOf, paymentUntil, sendRounds, untilOld } from "./sent-payments.ts";

const START_MS = 180_000;
const TEST_MS = 1_200_000;
const ORCHESTRATOR = "orchestrator";
const LAST = "signer-3";
/**
 * On chains that do not count transactions, an orchestrator asks, for requests older than this, what the wallet has sent since
 * their authorisation.
 */
const LATE_MS = 30_000;
/** For a minute, by the authority's clock, a request may be older than a restored store. */
const NEW_MS = 60_000;

let cluster: Cluster;
let payers: readonly FamilyPayer[];
let times = 3n;

beforeAll(async () => {
  cluster = await startCluster({ signers: 3, threshold: 2, networks: FAMILY_NETWORKS });
  payers = await makePayers(cluster);
}, START_MS);
beforeEach(() => {
  times += 4n;
});
afterAll(() => cluster?.stop(), START_MS);

const keysToRefresh = async (): Promise<readonly number[]> =>
  (await cluster.signerStates()).map(({ keysToRefresh: keys }) => keys);

/** Refreshes the keys of restored signers, as an operator does, and pays once more. */
const expectMoreAfterRefresh = async (): Promise<void> => {
  const backMs = Date.now();
  await cluster.ready();
  const { code, out } = await conclave({}, "refresh", "--state", cluster.layout.root);
  expect(code, out).toBe(0);
  await expect.poll(keysToRefresh, { timeout: PATIENCE_MS }).toEqual([0, 0, 0]);
  await untilOld(backMs, NEW_MS);
  for (const { status } of await endsOf(cluster, await sendRounds(payers, times + 2n)))
    expect(status).toBe("Confirmed");
};

const MOMENTS = [
  ["before any transfer was begun", { hold: [ORCHESTRATOR], isHeld: () => true }],
  [
    "when all waited for signers",
    {
      hold: ["signer-2", LAST],
      isHeld: ({ reason }: { readonly reason?: string | undefined }) => reason !== undefined,
    },
  ],
] as const;

describe.each([
  ["one signer's store", [1]],
  ["t signers' stores", [1, 2]],
] as const)("INV-4 INV-5 the database and %s go back to one moment, and the chains stay", (_, signers) => {
  it.each(MOMENTS)(
    "%s, and all signers were there: each transfer ends as what it was, paid once",
    {
      timeout: TEST_MS,
    },
    async (_name, { hold, isHeld }) => {
      const parts = new RestoredParts(cluster, { signers, database: true });
      for (const name of hold) cluster.pause(name);
      const sent = await sendRounds(payers, times);
      const sentMs = Date.now();
      await Promise.all(sent.map((each) => paymentUntil(cluster, each, isHeld)));
      await parts.copy([ORCHESTRATOR]);
      for (const name of hold) cluster.resume(name);
      const before = await endsOf(cluster, sent);
      for (const { status } of before) expect(status).toBe("Confirmed");
      await untilOld(sentMs, LATE_MS);
      await parts.putBack([ORCHESTRATOR]);
      expect(await differences(cluster, sent, before)).toEqual([]);
      parts.forget();
      await expectMoreAfterRefresh();
    },
  );

  it("before any transfer was begun, and the last signer was away: each transfer ends as what it was, paid once", {
    timeout: TEST_MS,
  }, async () => {
    const parts = new RestoredParts(cluster, { signers, database: true });
    cluster.pause(ORCHESTRATOR);
    const sent = await sendRounds(payers, times);
    const sentMs = Date.now();
    await cluster.kill(LAST);
    await parts.copy([ORCHESTRATOR]);
    const before = await endsOf(cluster, sent);
    for (const { status } of before) expect(status).toBe("Confirmed");
    await cluster.restart(LAST);
    await untilOld(sentMs, LATE_MS);
    await parts.putBack([ORCHESTRATOR]);
    expect(await differences(cluster, sent, before)).toEqual([]);
    parts.forget();
    await expectMoreAfterRefresh();
  });
});
