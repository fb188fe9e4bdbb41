import { readFile } from "node:fs/promises";
import { type OrganisationId, organisationIdSchema } from "@conclave/custody";
import { z } from "zod";
import { ConfigurationError } from "../config/environment.ts";
import { readJsonFile } from "../config/json-file.ts";
import { isProtected } from "./protected-url.ts";

const LONGEST_URL = 2_048;
const LONGEST_NAME = 256;
const MOST_PROVIDERS = 1_000;
const MOST_REDIRECTS = 20;
const MOST_CLAIMS = 20;

const protectedUrl = z
  .url()
  .max(LONGEST_URL)
  .refine((text) => isProtected(new URL(text)), "begins with https://, or is an address of this machine");

/** A page as token requests name it: openid-client normalises it, and leaves its query out. */
const isPlainPage = (text: string): boolean => {
  const { href, search, hash, username, password } = new URL(text);
  return href === text && search + hash + username + password === "";
};

/** Google's issuer serves everybody who has a mailbox, so that a claim must say of which organisation an account is. */
const GOOGLE = "https://accounts.google.com";

/** The identity provider of one organisation's employees. */
const entrySchema = z.strictObject({
  orgId: organisationIdSchema,
  /** its issuer identifier (OpenID Connect Discovery 1.0, section 4.1), without /.well-known/openid-configuration */
  issuer: protectedUrl,
  clientId: z.string().min(1).max(LONGEST_NAME),
  /** path of a file that holds the client's secret; absent for a client without one */
  clientSecretFile: z.string().optional(),
  /** the pages to which the provider may send people back, as they are registered there */
  redirectUris: z
    .array(
      protectedUrl.refine(isPlainPage, "is written as a browser writes it, without a query or a fragment"),
    )
    .min(1)
    .max(MOST_REDIRECTS),
  /** the claim of an ID token that is the username; `email` counts only together with `email_verified` */
  usernameClaim: z.string().min(1).max(LONGEST_NAME).default("email"),
  /** claims that an ID token must have with exactly these values, such as `hd` of Google */
  requiredClaims: z
    .record(z.string().max(LONGEST_NAME), z.string().max(LONGEST_NAME))
    .refine((claims) => Object.keys(claims).length <= MOST_CLAIMS, `has more than ${MOST_CLAIMS} claims`)
    .default({}),
});

/**
 * The file that CONCLAVE_IDENTITY_PROVIDERS names. An answer to a redirect address tells nothing of the provider that
 * sent it, so that an address belongs to one provider only (RFC 9700, section 4.4).
 */
const identityProvidersSchema = z
  .array(entrySchema)
  .max(MOST_PROVIDERS)
  .refine((entries) => new Set(entries.map(({ orgId }) => orgId)).size === entries.length, {
    error: "names an organisation twice",
  })
  .refine(
    (entries) => entries.every(({ issuer, requiredClaims }) => issuer !== GOOGLE || "hd" in requiredClaims),
    { error: `lacks requiredClaims.hd, the organisation's domain, for ${GOOGLE}` },
  )
  .refine((entries) => isOfOneIssuer(entries), { error: "gives two issuers the same redirect address" });

const isOfOneIssuer = (entries: readonly z.infer<typeof entrySchema>[]): boolean => {
  const issuers = new Map<string, string>();
  return entries.every(({ issuer, redirectUris }) =>
    redirectUris.every((uri) => {
      const known = issuers.get(uri) ?? issuer;
      issuers.set(uri, known);
      return known === issuer;
    }),
  );
};

/** An entry of the list, with the client's secret. */
export interface ProviderEntry {
  readonly orgId: OrganisationId;
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string | undefined;
  readonly redirectUris: readonly string[];
  readonly usernameClaim: string;
  readonly requiredClaims: Readonly<Record<string, string>>;
}

const secretIn = async (path: string): Promise<string> => {
  const text = await readFile(path, "utf8").catch(() => {
    throw new ConfigurationError(
      `clientSecretFile names ${path}, which cannot be read: make the file, and let this user read it`,
    );
  });
  const secret = text.replace(/\r?\n$/, "");
  if (secret !== "") return secret;
  throw new ConfigurationError(`clientSecretFile names ${path}, which is empty: write the secret into it`);
};

/**
 * Loads the identity providers from the file that CONCLAVE_IDENTITY_PROVIDERS names; none without a file.
 * @throws ConfigurationError if the file, or a secret's, is missing or invalid
 */
export const loadIdentityProviders = async (path: string | undefined): Promise<readonly ProviderEntry[]> => {
  if (path === undefined) return [];
  const entries = await readJsonFile(path, "the list of identity providers", identityProvidersSchema);
  return Promise.all(
    entries.map(async ({ clientSecretFile, ...entry }) => ({
      ...entry,
      clientSecret: clientSecretFile === undefined ? undefined : await secretIn(clientSecretFile),
    })),
  );
};
