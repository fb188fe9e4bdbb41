import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startCluster } from "../integration/throw-away-cluster.ts";
import { browser } from "./browser/browser.ts";
import { type CompatWorld, openWorld } from "./compat-world.ts";
import { examples } from "./examples.ts";
import { generations } from "./generations.ts";
import { keyPassage } from "./key-passage.ts";
import { MARKED_OPERATIONS } from "./marked-operations.ts";
import { familyOperations } from "./operations/family-operations.ts";
import { keyOperations } from "./operations/key-operations.ts";
import { peopleOperations } from "./operations/people-operations.ts";
import { permissionOperations } from "./operations/permission-operations.ts";
import { policyOperations } from "./operations/policy-operations.ts";
import { recoveryOperations } from "./operations/recovery-operations.ts";
import { signatureOperations } from "./operations/signature-operations.ts";
import { transactionOperations } from "./operations/transaction-operations.ts";
import { transferOperations } from "./operations/transfer-operations.ts";
import { walletOperations } from "./operations/wallet-operations.ts";
import { webhookOperations } from "./operations/webhook-operations.ts";
import { docsPage } from "./page/page.ts";
import { readablePage } from "./page/readable.ts";
import { providerLogins } from "./provider-logins.ts";
import { PythonClient } from "./python/python-client.ts";
import { pythonOnly } from "./python/python-only.ts";
import { rounds } from "./rounds.ts";
import { POLL_MS } from "./until.ts";
import { wireBehaviour } from "./wire-behaviour.ts";

// One cluster for all tests, because its start is costly.
let opened: CompatWorld | undefined;
let python: PythonClient | undefined;
const world = (): CompatWorld => opened ?? expect.fail("the cluster did not start");

beforeAll(async () => {
  const cluster = await startCluster({
    signers: 3,
    threshold: 2,
    keyImport: "allowed",
    keyExport: "allowed",
    networks: "all",
    pollMs: POLL_MS,
  });
  opened = await openWorld(cluster);
  python = await PythonClient.start();
});
afterAll(async () => {
  await python?.stop();
  await opened?.cluster.stop();
});

walletOperations(world);
keyOperations(world);
keyPassage(world);
transferOperations(world);
familyOperations(world);
transactionOperations(world);
signatureOperations(world);
permissionOperations(world);
peopleOperations(world);
recoveryOperations(world);
policyOperations(world);
webhookOperations(world);
wireBehaviour(world);
generations(world);
rounds(world);
pythonOnly(world, () => python ?? expect.fail("the Python client did not start"));
examples(world);
browser(world);
providerLogins(world, () => python ?? expect.fail("the Python client did not start"));
docsPage(world);
readablePage(world);

describe("the client library from npm", () => {
  it("has driven every operation that is served", () => {
    expect(MARKED_OPERATIONS.filter((operation) => !world().driven.has(operation))).toEqual([]);
  });
});
