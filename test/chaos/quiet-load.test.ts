import { readFileSync } from "node:fs";
import { openDatabase } from "@conclave/platform";
import type { Cluster } from "@conclave/testbed";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startCluster } from "../integration/throw-away-cluster.ts";
import { checkCluster } from "./check/check-cluster.ts";
import { type Load, startLoad } from "./load/load.ts";

const NETWORKS = ["EthereumSepolia", "Stellar"];
const LASTS_MS = 15_000;
const DRAIN_MS = 120_000;

let cluster: Cluster;
let load: Load;
beforeAll(async () => {
  cluster = await startCluster({
    signers: 3,
    threshold: 2,
    presignatures: 2,
    networks: NETWORKS.filter((network) => network !== "EthereumSepolia"),
  });
  load = await startLoad(cluster, {
    seed: 7,
    perSecond: 2,
    lastsMs: LASTS_MS,
    networks: NETWORKS,
    wallets: 3,
  });
  await load.drain(DRAIN_MS);
});
afterAll(async () => {
  await load?.stop();
  await cluster?.stop();
});

/** Executes a statement as the database's owner. */
const sabotage = async (statement: string, values: readonly unknown[]): Promise<number> => {
  const url = readFileSync(cluster.layout.databaseUrl, "utf8").trim();
  const database = openDatabase({ url, name: "sabotage" });
  try {
    return await database.execute(statement, values);
  } finally {
    await database.close();
  }
};

describe("a quiet load of two families", () => {
  it("INV-4 INV-5 INV-6 INV-8 leaves nothing to find", async () => {
    expect(load.history.requests.length).toBeGreaterThan(0);
    expect(await checkCluster(cluster, load.history)).toEqual([]);
  });

  it("INV-6 INV-8 gives away who deletes an event and an approval's vote behind the cluster's back, and nothing else", async () => {
    const ofVerdict = (verdict: string) => {
      const request = load.history.requests.find(({ asked }) => asked.verdict === verdict);
      return request?.answer?.kind === "accepted" ? request.answer.id : expect.fail("it was accepted");
    };
    const [free, approved] = [ofVerdict("free"), ofVerdict("approved")];
    const removed = await sabotage(
      "delete from events where entity_id = $1 and kind = 'wallet.transfer.broadcasted'",
      [free],
    );
    const unsaid = await sabotage(
      `delete from policy_approval_decisions
       where approval_id = (select approval_id from chain_requests where id = $1)`,
      [approved],
    );
    expect([removed, unsaid]).toEqual([1, 1]);
    const findings = await checkCluster(cluster, load.history);
    expect(findings).toEqual([
      { invariant: "INV-6", requestId: free, words: expect.stringContaining("requested confirmed") },
      {
        invariant: "INV-6",
        words: expect.stringContaining("is on the bus, and the database does not have it"),
      },
      {
        invariant: "INV-6",
        words: expect.stringContaining("was delivered, and the database does not have it"),
      },
      { invariant: "INV-8", requestId: approved, words: expect.stringContaining("without the approval") },
    ]);
  });
});
