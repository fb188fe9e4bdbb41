import { join } from "node:path";
import type { ProcessSpec } from "../host/supervised-process.ts";
import type { ClusterOptions } from "../options.ts";
import type { StateLayout } from "../state/layout.ts";
import { serviceSpec } from "./service-process.ts";

export const signerSpec = (layout: StateLayout, index: number, options: ClusterOptions): ProcessSpec => {
  const folder = layout.signer(index);
  return serviceSpec("signer", `signer-${index}`, layout.log(`signer-${index}`), {
    CONCLAVE_ROSTER: layout.roster,
    CONCLAVE_NETWORKS: layout.networks,
    CONCLAVE_CA: layout.ca,
    CONCLAVE_SIGNER_INDEX: String(index),
    CONCLAVE_SIGNER_DIR: folder,
    CONCLAVE_KEY_FILE: join(folder, "passphrase.key"),
    CONCLAVE_KEY_IMPORT: options.keyImport,
    CONCLAVE_KEY_EXPORT: options.keyExport,
    CONCLAVE_LOG_LEVEL: options.logLevel,
    ...(options.parameters === "INSECURE-TEST" ? { CONCLAVE_INSECURE_TEST_PARAMETERS: "1" } : {}),
  });
};

/** The database and the bus, which gateway and orchestrator use and signers do not. */
export interface Backing {
  /** for the gateway, which owns the tables */
  readonly databaseUrl: string;
  readonly orchestratorDatabaseUrl: string;
  readonly natsUrl: string;
  readonly natsToken: string;
}

const backed = (layout: StateLayout, backing: Backing, options: ClusterOptions): Record<string, string> => ({
  CONCLAVE_NATS_URL: backing.natsUrl,
  CONCLAVE_NATS_TOKEN: backing.natsToken,
  CONCLAVE_ROSTER: layout.roster,
  CONCLAVE_NETWORKS: layout.networks,
  CONCLAVE_LOG_LEVEL: options.logLevel,
});

/**
 * The environment that names the orchestrators' login, to which the gateway grants rights; empty if orchestrators use the
 * gateway's login.
 */
const orchestratorLogin = ({ databaseUrl, orchestratorDatabaseUrl }: Backing): Record<string, string> => {
  const login = new URL(orchestratorDatabaseUrl).username;
  return login === new URL(databaseUrl).username ? {} : { CONCLAVE_ORCHESTRATOR_LOGIN: login };
};

export const gatewaySpec = (
  layout: StateLayout,
  port: number,
  backing: Backing,
  options: ClusterOptions,
): ProcessSpec =>
  serviceSpec("gateway", "gateway", layout.log("gateway"), {
    ...backed(layout, backing, options),
    DATABASE_URL: backing.databaseUrl,
    ...orchestratorLogin(backing),
    CONCLAVE_LISTEN: `127.0.0.1:${port}`,
    CONCLAVE_GATEWAY_DIR: layout.gateway,
    CONCLAVE_PRICES: layout.prices,
    CONCLAVE_KEY_FILE: join(layout.gateway, "passphrase.key"),
    CONCLAVE_PRIVATE_WEBHOOKS: "allowed",
    CONCLAVE_REQUESTS_PER_MINUTE: String(options.requestsPerMinute),
  });

export const orchestratorSpec = (
  layout: StateLayout,
  port: number,
  backing: Backing,
  options: ClusterOptions,
): ProcessSpec =>
  serviceSpec("orchestrator", "orchestrator", layout.log("orchestrator"), {
    ...backed(layout, backing, options),
    DATABASE_URL: backing.orchestratorDatabaseUrl,
    CONCLAVE_LISTEN: `127.0.0.1:${port}`,
    CONCLAVE_CA: layout.ca,
    CONCLAVE_ORCHESTRATOR_DIR: layout.orchestrator,
    CONCLAVE_KEY_FILE: join(layout.orchestrator, "passphrase.key"),
    CONCLAVE_PRESIGNATURES: String(options.presignatures),
    CONCLAVE_PRIVATE_WEBHOOKS: "allowed",
  });

/** Whether this is the line that a service logs once it serves. */
export const saysReady = (line: string): boolean => line.startsWith("{") && line.includes('"msg":"ready"');
