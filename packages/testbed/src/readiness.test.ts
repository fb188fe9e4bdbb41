import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type AwaitedSigners, newcomersOf, signersHeard, signersReady } from "./readiness.ts";

const server: Server[] = [];
afterEach(() => {
  for (const one of server.splice(0)) one.close();
});

const signer = (index: number, live: boolean, auxiliaryEpoch: number) => ({
  index,
  id: `signer-${index}`,
  live,
  status: {
    auxiliaryEpoch,
    cpuMicroseconds: 0,
    residentBytes: 0,
    sessions: [],
    pool: { ready: 0, consumed: 0 },
  },
});

/** Counts the requests to this test's orchestrators. */
let asked = 0;
beforeEach(() => {
  asked = 0;
});

/** An orchestrator that gives these reports of signers in order, and then the last one again. */
const reporting = async (...reports: readonly (readonly object[])[]): Promise<string> => {
  const orchestrator = createServer((_, response) => {
    const signers = reports[Math.min(asked, reports.length - 1)];
    asked += 1;
    const presignatures = { ready: 0, sets: [], signed: { pooled: 0, interactive: 0 } };
    response.end(JSON.stringify({ signers, presignatures }));
  });
  server.push(orchestrator);
  orchestrator.listen(0, "127.0.0.1");
  await once(orchestrator, "listening");
  const address = orchestrator.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return `http://127.0.0.1:${address.port}`;
};

/** The numbers of ready signers that are reported until all are ready. */
const stagesShown = async (url: string, awaited: AwaitedSigners = {}): Promise<readonly number[]> => {
  const ready: number[] = [];
  await signersReady(
    url,
    { onProgress: (progress) => void (progress.kind === "auxiliary" && ready.push(progress.ready)) },
    awaited,
  );
  return ready;
};

it("signers are ready once each is live and has auxiliary information", async () => {
  const url = await reporting(
    [signer(1, true, 1), signer(4, false, 0)],
    [signer(1, true, 1), signer(4, true, 0)],
    [signer(1, true, 1), signer(4, true, 1)],
  );
  expect(await stagesShown(url)).toEqual([1, 1, 2]);
});

it("those that came with a change under way need only be live", async () => {
  const url = await reporting(
    [signer(1, true, 1), signer(4, false, 0)],
    [signer(1, true, 1), signer(4, true, 0)],
  );
  expect(await stagesShown(url, { newcomers: new Set([4]) })).toEqual([1, 2]);
});

it("enough signers are waited for while others make progress, and not once these stand still", async () => {
  const url = await reporting(
    [signer(1, true, 0), signer(2, true, 0), signer(4, false, 0)],
    [signer(1, true, 1), signer(2, true, 0), signer(4, false, 0)],
    [signer(1, true, 1), signer(2, true, 1), signer(4, false, 0)],
    [signer(1, true, 1), signer(2, true, 1), signer(4, true, 0)],
  );
  expect(await stagesShown(url, { enough: 2, graceMs: 200 })).toEqual([0, 1, 2, 2]);
});

it("all signers are waited for where no number is enough", async () => {
  const stopped = new AbortController();
  const url = await reporting([signer(1, true, 1), signer(4, true, 0)]);
  const waiting = signersReady(
    url,
    { onProgress: () => stopped.abort(), signal: stopped.signal },
    { graceMs: 0 },
  );
  await expect(waiting).rejects.toThrow("aborted");
});

it("those that come with a change are the ones of its entries in the history", () => {
  const entry = (added: number[]) => ({
    renewals: 0,
    threshold: 2,
    added,
    removed: [],
    date: "2026-03-04T05:06:07.890Z",
    signature: "",
  });
  const cluster = { clusterId: "test", authorityKey: "", signers: [] };
  const changes = [entry([4]), entry([5]), entry([])];
  expect([...newcomersOf({ ...cluster, changes })]).toEqual([]);
  expect([...newcomersOf({ ...cluster, changes, change: { threshold: 2, leaving: [], since: 1 } })]).toEqual([
    5,
  ]);
  expect([...newcomersOf({ ...cluster, changes, change: { threshold: 2, leaving: [] } })]).toEqual([]);
});

it("signers are heard once each of them is listed and live", async () => {
  const url = await reporting(
    [signer(1, true, 1)],
    [signer(1, true, 1), signer(4, false, 0)],
    [signer(1, false, 1), signer(4, true, 0)],
    [signer(1, true, 1), signer(4, true, 0)],
  );
  await signersHeard(url, [1, 4]);
  expect(asked).toBe(4);
});
