import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { ProcessSpec } from "../host/supervised-process.ts";
import type { ClusterOptions } from "../options.ts";
import type { StateLayout } from "../state/layout.ts";
import { serviceBundle } from "./service-bundle.ts";

/** A little more than the 5 s in which services finish or abort open work. */
const STOP_DEADLINE_MS = 7_000;

/** Finds the root of the repository; the path is the same from src/parts and dist/parts. */
export const repositoryRoot = (): string =>
  join(dirname(fileURLToPath(import.meta.url)), "..", "..", "..", "..");

/** The environment variables that a process inherits: only those that it needs. */
const inherited = (): Record<string, string> => {
  const names = ["PATH", "HOME", "TMPDIR", "TZ", "NODE_EXTRA_CA_CERTS"];
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = process.env[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
};

/**
 * Memory options of signers. A signer's main thread mostly passes on short-lived buffers, so a small young generation suffices and
 * saves about 25 MB of 150. One thread collects it faster than it could wake others.
 */
const SIGNER_MEMORY = ["--max-semi-space-size=2", "--no-parallel-scavenge"] as const;

const nodeOptions = (service: string): readonly string[] => [
  "--enable-source-maps",
  ...(service === "signer" ? SIGNER_MEMORY : []),
];

const serviceSpec = (
  layout: StateLayout,
  service: string,
  name: string,
  env: Readonly<Record<string, string>>,
): ProcessSpec => ({
  name,
  command: process.execPath,
  args: [...nodeOptions(service), serviceBundle(repositoryRoot(), service)],
  env: { ...inherited(), ...env },
  cwd: repositoryRoot(),
  logFile: layout.log(name),
  stopSignal: "SIGTERM",
  stopDeadlineMs: STOP_DEADLINE_MS,
});

export const signerSpec = (layout: StateLayout, index: number, options: ClusterOptions): ProcessSpec => {
  const folder = layout.signer(index);
  return serviceSpec(layout, "signer", `signer-${index}`, {
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
  serviceSpec(layout, "gateway", "gateway", {
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
  serviceSpec(layout, "orchestrator", "orchestrator", {
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
