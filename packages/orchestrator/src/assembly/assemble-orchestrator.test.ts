import {
  connectBus,
  type Database,
  EVENTS_DEFAULTS,
  makeLogger,
  makeWebhookKey,
  Outage,
  openDatabase,
  webhookSecretsOf,
} from "@conclave/platform";
import { startNatsServer } from "@conclave/platform/testing";
import { processWorld } from "@conclave/platform/world";
import { expect, it, onTestFinished } from "vitest";
import { startWorld } from "../testing/world.ts";
import { assembleOrchestrator } from "./assemble-orchestrator.ts";

const ROSTER = {
  clusterId: "test",
  threshold: 2,
  signers: [1, 2, 3].map((index) => ({
    index,
    id: `signer-${index}`,
    address: `127.0.0.1:${index}`,
    identityKey: `${index}`.padStart(64, "0"),
    encryptionKey: `${index}`.padStart(64, "0"),
  })),
};

/** A database that does not answer the first question about its time. */
const silentOnce = (database: Database): { readonly database: Database; readonly asked: () => number } => {
  let asked = 0;
  const rows: Database["rows"] = (schema, text, values) => {
    if (!text.includes("as now_ms")) return database.rows(schema, text, values);
    asked += 1;
    if (asked === 1) return Promise.reject(new Outage("database", new Error("it is away")));
    return database.rows(schema, text, values);
  };
  return { database: { ...database, rows }, asked: () => asked };
};

it("INV-5 starts although the database does not tell its time at first", async () => {
  const [world, nats] = await Promise.all([startWorld(), startNatsServer()]);
  onTestFinished(async () => {
    await Promise.all([world.stop(), nats.stop()]);
  });
  let asked = (): number => 0;
  const orchestrator = await assembleOrchestrator({
    world: processWorld,
    roster: ROSTER,
    networks: [],
    signers: [],
    openDatabase: (listeners) => {
      const silent = silentOnce(openDatabase({ url: world.orchestratorUrl, name: "test", ...listeners }));
      asked = silent.asked;
      return silent.database;
    },
    connectBus: () => connectBus({ ...nats, name: "test", events: EVENTS_DEFAULTS }),
    logger: makeLogger({ name: "test", level: "silent" }),
    presignatures: { low: 0, high: 0 },
    webhooks: {
      secrets: webhookSecretsOf(makeWebhookKey()),
      send: () => Promise.reject(new Error("there is no webhook")),
    },
  });
  expect(asked()).toBeGreaterThan(1);
  await orchestrator.stop();
});
