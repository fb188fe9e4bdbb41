import {
  collectProcessMetrics,
  connectBus,
  EVENTS_DEFAULTS,
  type EventStorage,
  makeSender,
  openDatabase,
  type WebhookSecrets,
} from "@conclave/platform";
import { assembleOrchestrator } from "./assembly/assemble-orchestrator.ts";
import type { AssembledParts } from "./assembly/core.ts";
import { orchestratorRoutes, serveHttp } from "./http.ts";
import { busStatusNoted } from "./log/process-events.ts";

/** one of them is this process's presence */
const DATABASE_CONNECTIONS = 17;

/** The settings of an orchestrator's process, beside the parts that it shares with others. */
export interface OrchestratorParts extends Omit<AssembledParts, "openDatabase" | "connectBus" | "webhooks"> {
  readonly databaseUrl: string;
  readonly nats: { readonly url: string; readonly token: string };
  /** how the bus keeps public events, where it is otherwise than EVENTS_DEFAULTS says */
  readonly events?: EventStorage;
  readonly listen: { readonly host: string; readonly port: number };
  /** how events reach webhooks */
  readonly webhooks: { readonly secrets: WebhookSecrets; readonly allowPrivateAddresses: boolean };
}

export interface Orchestrator {
  /** where health, metrics and status are served */
  readonly port: number;
  /** Takes no more work, gives what is under way a moment, closes everything. Idempotent. */
  stop(): Promise<void>;
}

const NAME = "conclave-orchestrator";

/** Opens the parts of a process and begins to work; resolves once requests are taken and HTTP is served. */
export const startOrchestrator = async (parts: OrchestratorParts): Promise<Orchestrator> => {
  const { databaseUrl: url, nats, events = EVENTS_DEFAULTS, listen, webhooks, logger } = parts;
  const assembled = await assembleOrchestrator({
    ...parts,
    openDatabase: (listeners) =>
      openDatabase({
        url,
        name: NAME,
        world: parts.world,
        maxConnections: DATABASE_CONNECTIONS,
        ...listeners,
      }),
    connectBus: () =>
      connectBus({ ...nats, name: NAME, events, onStatus: (status) => busStatusNoted(logger, { status }) }),
    webhooks: { secrets: webhooks.secrets, send: makeSender(webhooks) },
  });
  collectProcessMetrics(assembled.view.metrics);
  const http = await serveHttp(orchestratorRoutes(assembled.view), listen);
  return {
    port: http.port,
    stop: async () => {
      await assembled.stop();
      await http.close();
    },
  };
};
