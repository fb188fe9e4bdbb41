import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { FAMILIES, type FamilyRegistry } from "@conclave/chains";
import {
  ConfigurationError,
  type EnabledNetworks,
  EVENTS_DEFAULTS,
  type EventStorage,
  listenSchema,
  loadNetworks,
  loadRoster,
  loadWebhookSecrets,
  logLevelSchema,
  type Roster,
  readEnvironment,
  type WebhookSecrets,
  withDatabasePassword,
  withSecretFiles,
} from "@conclave/platform";
import { loadPassphrase, loadTls, type TlsIdentity } from "@conclave/platform/certificates";
import { z } from "zod";
import type { StockMarks } from "./presignatures/stock.ts";

const MEGABYTE = 1024 * 1024;

const environmentSchema = z.object({
  CONCLAVE_LISTEN: listenSchema.default({ host: "127.0.0.1", port: 8081 }),
  DATABASE_URL: z
    .url({ protocol: /^postgres(ql)?$/ })
    .describe("The PostgreSQL database, as in postgres://user:password@host/name"),
  DATABASE_PASSWORD: z
    .string()
    .optional()
    .describe("Its password apart from the address; or DATABASE_PASSWORD_FILE, a file that holds it"),
  CONCLAVE_NATS_URL: z.string().min(1).describe("The NATS server, as in nats://127.0.0.1:4222"),
  CONCLAVE_NATS_TOKEN: z
    .string()
    .min(1)
    .describe("The token of the NATS server; or CONCLAVE_NATS_TOKEN_FILE, a file that holds it"),
  CONCLAVE_EVENTS_MEGABYTES: z.coerce
    .number()
    .int()
    .min(1)
    .max(1_000_000)
    .default(EVENTS_DEFAULTS.maxBytes / MEGABYTE)
    .describe("How many megabytes of public events the NATS server keeps; the oldest make way"),
  CONCLAVE_EVENTS_REPLICAS: z.coerce
    .number()
    .int()
    .min(1)
    .max(5)
    .default(EVENTS_DEFAULTS.replicas)
    .describe("How many servers of a NATS cluster keep them, 1 to 5"),
  CONCLAVE_ROSTER: z.string().min(1).describe("The path of roster.json"),
  CONCLAVE_NETWORKS: z.string().min(1).describe("The path of networks.json"),
  CONCLAVE_CA: z.string().min(1).describe("The path of ca.crt"),
  CONCLAVE_ORCHESTRATOR_DIR: z.string().min(1).describe("The folder with tls.crt and tls.key"),
  CONCLAVE_KEY_FILE: z.string().optional(),
  CONCLAVE_PASSPHRASE: z.string().optional(),
  CONCLAVE_PRESIGNATURES: z
    .string()
    .regex(/^(0|[1-9][0-9]?)$/)
    .default("2")
    .transform(Number)
    .describe("How many presignatures are kept for each set of signers of a key in use; 0 keeps none"),
  CONCLAVE_PRIVATE_WEBHOOKS: z
    .enum(["allowed", "refused"])
    .default("refused")
    .describe("Whether webhooks on private addresses are reached; allowed or refused"),
  CONCLAVE_LOG_LEVEL: logLevelSchema.default("info"),
});

export interface OrchestratorConfig {
  readonly listen: { readonly host: string; readonly port: number };
  readonly databaseUrl: string;
  readonly nats: { readonly url: string; readonly token: string };
  readonly events: EventStorage;
  readonly roster: Roster;
  readonly networks: EnabledNetworks;
  readonly tls: TlsIdentity;
  readonly presignatures: StockMarks;
  readonly webhooks: { readonly secrets: WebhookSecrets; readonly allowPrivateAddresses: boolean };
  readonly logLevel: z.infer<typeof logLevelSchema>;
}

/**
 * Reads the environment and the files that it names.
 * @param families that the networks file may name; by default the built-in ones
 * @throws ConfigurationError with what is missing or wrong
 */
export const readOrchestratorConfig = async (
  environment: Readonly<Record<string, string | undefined>>,
  families: FamilyRegistry = FAMILIES,
): Promise<OrchestratorConfig> => {
  const given = readEnvironment(environmentSchema, withSecretFiles(environment));
  const roster = await loadRoster(given.CONCLAVE_ROSTER);
  return {
    listen: given.CONCLAVE_LISTEN,
    databaseUrl: withDatabasePassword(given),
    nats: { url: given.CONCLAVE_NATS_URL, token: given.CONCLAVE_NATS_TOKEN },
    events: {
      maxBytes: given.CONCLAVE_EVENTS_MEGABYTES * MEGABYTE,
      replicas: given.CONCLAVE_EVENTS_REPLICAS,
    },
    roster,
    networks: await loadNetworks(given.CONCLAVE_NETWORKS, families),
    tls: await openTls(given, roster.clusterId),
    presignatures: {
      low: Math.ceil(given.CONCLAVE_PRESIGNATURES / 2),
      high: given.CONCLAVE_PRESIGNATURES,
    },
    webhooks: {
      secrets: await loadWebhookSecrets(join(given.CONCLAVE_ORCHESTRATOR_DIR, "webhook.key")),
      allowPrivateAddresses: given.CONCLAVE_PRIVATE_WEBHOOKS === "allowed",
    },
    logLevel: given.CONCLAVE_LOG_LEVEL,
  };
};

const openTls = async (
  given: z.output<typeof environmentSchema>,
  clusterId: string,
): Promise<TlsIdentity> => {
  const passphrase = await loadPassphrase({
    keyFile: given.CONCLAVE_KEY_FILE,
    passphrase: given.CONCLAVE_PASSPHRASE,
  });
  if (!passphrase.ok) throw new ConfigurationError(passphrase.problem.message);
  const folder = given.CONCLAVE_ORCHESTRATOR_DIR;
  const [authority, certificate, key] = await Promise.all(
    [given.CONCLAVE_CA, join(folder, "tls.crt"), join(folder, "tls.key")].map(readText),
  );
  const files = { authority: authority ?? "", certificate: certificate ?? "", key: key ?? "" };
  const tls = loadTls(files, clusterId, passphrase.value);
  if (!tls.ok) throw new ConfigurationError(tls.problem.message);
  if (tls.value.role.kind !== "orchestrator") {
    throw new ConfigurationError(`the certificate in ${folder} is not an orchestrator's`);
  }
  return tls.value;
};

const readText = async (path: string): Promise<string> => {
  try {
    return await readFile(path, "utf8");
  } catch {
    throw new ConfigurationError(`${path} cannot be read`);
  }
};
