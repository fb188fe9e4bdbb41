import { Writable } from "node:stream";
import { makeLeaf } from "@conclave/platform";
import { loadTls, makePassphrase } from "@conclave/platform/certificates";
import { makeLogger } from "@conclave/platform/logger";
import { sourceSearch, sourceWorker } from "@conclave/platform/testing";
import { processWorld } from "@conclave/platform/world";
import { partyIndex } from "@conclave/threshold";
import { expect, test } from "vitest";
import { startSigner } from "./signer.ts";
import { provision, settingsOf } from "./testing/cluster.ts";

/** The warnings at the start of a signer whose certificate ends in so many days. */
const warnedOf = async (days: number): Promise<readonly string[]> => {
  const cluster = await provision(2, 2);
  const settings = await settingsOf(cluster, 1);
  const index = partyIndex(1);
  if (index === undefined) throw new Error("1 is a party index");
  const passphrase = makePassphrase();
  const request = { role: { kind: "signer", index }, passphrase, now: new Date(), days } as const;
  const leaf = await makeLeaf(cluster.authority, request);
  const files = { ...leaf, authority: cluster.authority.certificate };
  const tls = loadTls(files, settings.tls.clusterId, passphrase);
  if (!tls.ok) throw new Error(tls.problem.message);
  const lines: string[] = [];
  const destination = new Writable({
    write: (chunk: Buffer, _, done) => {
      lines.push(chunk.toString());
      done();
    },
  });
  const started = await startSigner(
    { ...settings, tls: tls.value },
    {
      world: processWorld,
      log: makeLogger({ name: "signer-1", level: "warn", destination }),
      failed: (error) => expect.fail(String(error)),
      workerEntry: sourceWorker(),
      searchEntry: sourceSearch(),
    },
  );
  if (!started.ok) throw new Error(started.problem.message);
  await started.value.stop();
  return lines.filter((line) => line.includes("certificateEnds"));
};

test("a signer whose certificate ends within 60 days says so once, with the date", async () => {
  const date = new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10);
  expect(await warnedOf(30)).toEqual([expect.stringContaining(`"certificateEnds":"${date}`)]);
});

test("a signer whose certificate ends later says nothing of it", async () => {
  expect(await warnedOf(90)).toEqual([]);
});
