import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { ProcessSpec } from "../host/supervised-process.ts";
import type { ClusterOptions } from "../options.ts";
import type { StateLayout } from "../state/layout.ts";
import { serviceSpec } from "./service-process.ts";

/** The start options of a service's process. */
export interface ServiceLaunch {
  readonly layout: StateLayout;
  readonly options: ClusterOptions;
  /** unique in its cluster, such as "gateway-2" */
  readonly name: string;
  /** on loopback */
  readonly port: number;
  /** the paths of the roster, which names the signers, and of the networks file, which names the chain nodes */
  readonly roster: string;
  readonly networks: string;
}

/** The process of any service. With fault points, it gets a folder for the orders of the chaos tests. */
const processOf = (
  service: string,
  { layout, options, name, port, roster, networks }: ServiceLaunch,
  env: Readonly<Record<string, string>>,
): ProcessSpec => {
  const faults = layout.faults(name);
  if (options.faults) mkdirSync(faults, { recursive: true, mode: 0o700 });
  return serviceSpec(
    service,
    name,
    layout.log(name),
    {
      CONCLAVE_ROSTER: roster,
      CONCLAVE_NETWORKS: networks,
      CONCLAVE_LISTEN: `127.0.0.1:${port}`,
      CONCLAVE_LOG_LEVEL: options.logLevel,
      ...(options.faults ? { CONCLAVE_FAULTS: faults } : {}),
      ...env,
    },
    options.faults ? "bundle-faults" : "bundle",
  );
};

export const signerSpec = (launch: ServiceLaunch, index: number): ProcessSpec => {
  const { layout, options } = launch;
  const folder = layout.signer(index);
  return processOf("signer", launch, {
    CONCLAVE_CA: layout.ca,
    CONCLAVE_SIGNER_INDEX: String(index),
    CONCLAVE_SIGNER_DIR: folder,
    CONCLAVE_KEY_FILE: join(folder, "passphrase.key"),
    CONCLAVE_KEY_IMPORT: options.keyImport,
    CONCLAVE_KEY_EXPORT: options.keyExport,
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

const onBus = ({ natsUrl, natsToken }: Backing): Record<string, string> => ({
  CONCLAVE_NATS_URL: natsUrl,
  CONCLAVE_NATS_TOKEN: natsToken,
});

/**
 * The environment variable with the orchestrators' login, to which the gateway grants rights; empty if orchestrators use
 * the gateway's login.
 */
const orchestratorLogin = ({ databaseUrl, orchestratorDatabaseUrl }: Backing): Record<string, string> => {
  const login = new URL(orchestratorDatabaseUrl).username;
  return login === new URL(databaseUrl).username ? {} : { CONCLAVE_ORCHESTRATOR_LOGIN: login };
};

export const gatewaySpec = (launch: ServiceLaunch, backing: Backing): ProcessSpec => {
  const { layout, options } = launch;
  return processOf("gateway", launch, {
    ...onBus(backing),
    DATABASE_URL: backing.databaseUrl,
    ...orchestratorLogin(backing),
    CONCLAVE_GATEWAY_DIR: layout.gateway,
    CONCLAVE_PRICES: layout.prices,
    CONCLAVE_IDENTITY_PROVIDERS: layout.identityProviders,
    CONCLAVE_KEY_FILE: join(layout.gateway, "passphrase.key"),
    CONCLAVE_PRIVATE_WEBHOOKS: "allowed",
    CONCLAVE_CORS_ORIGINS: "localhost",
    CONCLAVE_REQUESTS_PER_MINUTE: String(options.requestsPerMinute),
    CONCLAVE_USER_ACTIONS: options.userActions,
  });
};

export const orchestratorSpec = (launch: ServiceLaunch, backing: Backing): ProcessSpec => {
  const { layout, options } = launch;
  return processOf("orchestrator", launch, {
    ...onBus(backing),
    DATABASE_URL: backing.orchestratorDatabaseUrl,
    CONCLAVE_CA: layout.ca,
    CONCLAVE_ORCHESTRATOR_DIR: layout.orchestrator,
    CONCLAVE_KEY_FILE: join(layout.orchestrator, "passphrase.key"),
    CONCLAVE_PRESIGNATURES: String(options.presignatures),
    CONCLAVE_PRIVATE_WEBHOOKS: "allowed",
  });
};

/** Whether a log line is the one by which a service reports that it serves. */
export const saysReady = (line: string): boolean => line.startsWith("{") && line.includes('"msg":"ready"');
