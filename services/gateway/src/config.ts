import { organisationIdSchema } from "@conclave/custody";
import { listenSchema, logLevelSchema, readEnvironment } from "@conclave/platform";
import { z } from "zod";

const bootstrapSchema = z
  .string()
  .regex(/^[^:]+:.+$/, "is not <or-id>:<name>")
  .transform((text) => ({ id: text.slice(0, text.indexOf(":")), name: text.slice(text.indexOf(":") + 1) }))
  .pipe(z.object({ id: organisationIdSchema, name: z.string().max(100) }));

const schema = z.object({
  CONCLAVE_LISTEN: listenSchema.prefault("127.0.0.1:8080").describe("Set host:port to serve on."),
  DATABASE_URL: z
    .url({ protocol: /^postgres(ql)?$/ })
    .describe("Set the PostgreSQL database, as postgres://user:password@host:port/name."),
  CONCLAVE_NATS_URL: z.url().describe("Set the message bus, as nats://host:port."),
  CONCLAVE_NATS_TOKEN: z.string().describe("Set the message bus's token."),
  CONCLAVE_GATEWAY_DIR: z.string().describe("Set the folder that holds authority.key and token.key."),
  CONCLAVE_KEY_FILE: z.string().optional().describe("Set the file whose content opens the keys."),
  CONCLAVE_PASSPHRASE: z.string().optional().describe("Set the passphrase that opens the keys."),
  CONCLAVE_ROSTER: z.string().describe("Set the path of the cluster's roster.json."),
  CONCLAVE_NETWORKS: z.string().describe("Set the path of the cluster's networks.json."),
  CONCLAVE_LOG_LEVEL: logLevelSchema.default("info").describe("Use trace, debug, info, warn or error."),
  CONCLAVE_BOOTSTRAP_ORGANISATION: bootstrapSchema
    .optional()
    .describe("Set <or-id>:<name> of an organisation to add at start."),
});

export type Config = z.output<typeof schema>;

/** @throws ConfigurationError naming each variable that is missing or wrong, and the remedy */
export const readConfig = (environment: Readonly<Record<string, string | undefined>>): Config =>
  readEnvironment(schema, environment);
