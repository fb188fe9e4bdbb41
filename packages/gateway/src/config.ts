import { organisationIdSchema, userIdSchema } from "@conclave/custody";
import {
  LOGIN_PATTERN,
  listenSchema,
  logLevelSchema,
  readEnvironment,
  withDatabasePassword,
  withSecretFiles,
} from "@conclave/platform";
import { z } from "zod";
import type { RelyingParty } from "./credential/attestation.ts";
import { proxiesSchema } from "./http/caller-address.ts";
import { pageOriginsSchema } from "./http/page-origin.ts";

const bootstrapSchema = z
  .string()
  .regex(/^[^:]+:.+$/, "is not <or-id>:<name>")
  .transform((text) => ({ id: text.slice(0, text.indexOf(":")), name: text.slice(text.indexOf(":") + 1) }))
  .pipe(z.object({ id: organisationIdSchema, name: z.string().max(100) }));

/** for example rp.example=https://rp.example,… */
const relyingPartiesSchema = z
  .string()
  .transform((text) => text.split(","))
  .pipe(
    z.tuple([z.string()], z.string()).transform(([first, ...others]) => {
      const read = (party: string) => ({
        id: party.slice(0, party.indexOf("=")),
        origin: party.slice(party.indexOf("=") + 1),
      });
      const parties: [RelyingParty, ...RelyingParty[]] = [read(first), ...others.map(read)];
      return parties;
    }),
  )
  .refine((parties) => parties.every(({ id, origin }) => PARTY_ID.test(id) && PARTY_ORIGIN.test(origin)), {
    error: "is not <domain>=<origin>, or several with commas between",
  });
const PARTY_ID = /^[a-z0-9.-]+$/i;
/** An origin of web pages, or of an Android app, which is the SHA-256 of its certificate in base64url. */
const PARTY_ORIGIN = /^(https?:\/\/[^/\s]+|android:apk-key-hash:[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048])$/;

const schema = z.object({
  CONCLAVE_LISTEN: listenSchema.prefault("127.0.0.1:8080").describe("Set host:port to serve on."),
  DATABASE_URL: z
    .url({ protocol: /^postgres(ql)?$/ })
    .describe("Set the PostgreSQL database, as postgres://user:password@host:port/name."),
  DATABASE_PASSWORD: z
    .string()
    .optional()
    .describe("Set its password apart from the address, or DATABASE_PASSWORD_FILE, a file that holds it."),
  CONCLAVE_ORCHESTRATOR_LOGIN: z
    .string()
    .regex(LOGIN_PATTERN)
    .optional()
    .describe(
      "Set the database login of orchestrators, if they have one of their own: small letters, digits and _.",
    ),
  CONCLAVE_NATS_URL: z.url().describe("Set the message bus, as nats://host:port."),
  CONCLAVE_NATS_TOKEN: z
    .string()
    .describe("Set the message bus's token, or CONCLAVE_NATS_TOKEN_FILE, a file that holds it."),
  CONCLAVE_GATEWAY_DIR: z.string().describe("Set the folder that holds authority.key and token.key."),
  CONCLAVE_KEY_FILE: z.string().optional().describe("Set the file whose content opens the keys."),
  CONCLAVE_PASSPHRASE: z.string().optional().describe("Set the passphrase that opens the keys."),
  CONCLAVE_ROSTER: z.string().describe("Set the path of the cluster's roster.json."),
  CONCLAVE_NETWORKS: z.string().describe("Set the path of the cluster's networks.json."),
  CONCLAVE_PRICES: z
    .string()
    .optional()
    .describe("Set the path of a JSON file of prices; without one every policy on amounts triggers."),
  CONCLAVE_IDENTITY_PROVIDERS: z
    .string()
    .optional()
    .describe("Set the path of a JSON file of the identity providers at which employees log in."),
  CONCLAVE_LOG_LEVEL: logLevelSchema.default("info").describe("Use trace, debug, info, warn or error."),
  CONCLAVE_BOOTSTRAP_ORGANISATION: bootstrapSchema
    .optional()
    .describe("Set <or-id>:<name> of an organisation to add at start."),
  CONCLAVE_BOOTSTRAP_CREDENTIALS: z
    .string()
    .optional()
    .describe("Set the path of a JSON file of credentials to add at start."),
  CONCLAVE_USER_ACTIONS: z.enum(["required", "optional"]).optional().describe("Use required or optional."),
  CONCLAVE_RELYING_PARTIES: relyingPartiesSchema
    .prefault("localhost=http://localhost:8080")
    .describe("Set <domain>=<origin> of the pages where authenticators are registered, with commas between."),
  CONCLAVE_CORS_ORIGINS: pageOriginsSchema
    .prefault("")
    .describe(
      "Set the origins whose pages may call the API, with commas between; localhost for those of this machine.",
    ),
  CONCLAVE_PROXIES: proxiesSchema
    .prefault("")
    .describe(
      "Set the addresses of the proxies in front of this gateway, with commas between: their X-Forwarded-For tells who signs in.",
    ),
  CONCLAVE_REQUESTS_PER_MINUTE: z.coerce
    .number()
    .int()
    .min(0)
    .max(1_000_000)
    .default(1_000)
    .describe("Set how many requests an organisation may send in a minute; 0 for no limit."),
  CONCLAVE_PRIVATE_WEBHOOKS: z
    .enum(["allowed", "refused"])
    .default("refused")
    .describe("Use allowed or refused, for webhooks on private addresses."),
  NODE_ENV: z.string().optional(),
});

const CREDENTIAL_LENGTH = 4_096;

/** The file that CONCLAVE_BOOTSTRAP_CREDENTIALS names. */
export const credentialsFileSchema = z
  .array(
    z.strictObject({
      credId: z.string().min(1).max(CREDENTIAL_LENGTH),
      orgId: organisationIdSchema,
      userId: userIdSchema,
      name: z.string().max(100),
      /** SPKI in PEM */
      publicKey: z.string().startsWith("-----BEGIN PUBLIC KEY-----").max(CREDENTIAL_LENGTH),
    }),
  )
  .max(100);

export type GatewayConfig = z.output<typeof schema>;

/** Changes must be signed by a user's credential, unless the configuration of a non-production gateway allows otherwise. */
export const userActionsRequired = (config: GatewayConfig): boolean =>
  (config.CONCLAVE_USER_ACTIONS ?? (config.NODE_ENV === "production" ? "required" : "optional")) ===
  "required";

/** The limit on an organisation's requests in a minute; undefined for none. */
export const requestsPerMinute = ({
  CONCLAVE_REQUESTS_PER_MINUTE: most,
}: GatewayConfig): number | undefined => (most === 0 ? undefined : most);

/** @throws ConfigurationError naming each variable that is missing or wrong, and the remedy */
export const readGatewayConfig = (
  environment: Readonly<Record<string, string | undefined>>,
): GatewayConfig => {
  const config = readEnvironment(schema, withSecretFiles(environment));
  return { ...config, DATABASE_URL: withDatabasePassword(config) };
};
