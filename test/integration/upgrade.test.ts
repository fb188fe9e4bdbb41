import { join } from "node:path";
import { type Cluster, repositoryRoot, stateLayout } from "@conclave/testbed";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { WebhookReceiver } from "../compat/operations/webhook-receiver.ts";
import { stateFolder } from "./throw-away-cluster.ts";
import { finishRestored } from "./upgrade/finish-restored.ts";
import { readFixture } from "./upgrade/kept-cluster.ts";
import { fatesOfPresignatures, restoreCluster, startRestored } from "./upgrade/restore-cluster.ts";

const fixture = readFixture(join(repositoryRoot(), "test/vectors/cluster-0.1"));
const layout = stateLayout(stateFolder());

let all: WebhookReceiver;
let failing: WebhookReceiver;
let cluster: Cluster;

beforeAll(async () => {
  all = await WebhookReceiver.listen();
  failing = await WebhookReceiver.listen();
  const webhooks = { all: all.url, failing: failing.url };
  await restoreCluster(layout, fixture, { webhooks, dates: "moved" });
  cluster = await startRestored(layout, fixture.manifest);
});
afterAll(async () => {
  await cluster?.stop();
  await all?.[Symbol.asyncDispose]();
  await failing?.[Symbol.asyncDispose]();
});

describe("a cluster of version 0.1 that is started by this version, with its data", () => {
  it("INV-5 finishes all that was accepted: built, waiting, replaced, undecided, unsigned and undelivered", async () => {
    await finishRestored({ cluster, manifest: fixture.manifest, receivers: { all, failing } });
  });

  it("INV-2 has signed with none of the presignatures that version 0.1 stored, and keeps none", async () => {
    await cluster.stop();
    expect(await fatesOfPresignatures(layout, fixture.manifest)).toEqual({ spent: [], kept: [] });
  });
});
