import { createPublicKey, generateKeyPairSync } from "node:crypto";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { organisationIdSchema, tokenIdSchema, userIdSchema } from "@conclave/custody";
import {
  freshId,
  insertCredential,
  insertOrganisation,
  issueToken,
  loadPassphrase,
  loadSigningKey,
  openDatabase,
} from "@conclave/platform";
import { z } from "zod";
import type { StateLayout } from "../state/layout.ts";
import { writePrivate } from "../state/private-file.ts";

const ORGANISATION_NAME = "Development";
const TOKEN_LIFETIME_S = 30 * 86_400;

const developerSchema = z.object({
  orgId: organisationIdSchema,
  userId: userIdSchema,
  tokenId: tokenIdSchema,
  credentialId: z.string(),
});
type Developer = z.infer<typeof developerSchema>;

/** What a developer needs to call the API of a development cluster. */
export interface DeveloperAccess {
  readonly orgId: string;
  readonly userId: string;
  /** bearer token */
  readonly token: string;
  readonly credential: {
    readonly id: string;
    /** PEM of an Ed25519 key of the client's, with which it signs user actions */
    readonly keyFile: string;
  };
}

const credentialId = (publicKey: Buffer): string => publicKey.subarray(-32).toString("base64url");

const makeDeveloper = (keyFile: string): Developer => {
  const { publicKey, privateKey } = generateKeyPairSync("ed25519");
  writePrivate(keyFile, privateKey.export({ type: "pkcs8", format: "pem" }).toString());
  return {
    orgId: freshId(organisationIdSchema, "or"),
    userId: freshId(userIdSchema, "us"),
    tokenId: freshId(tokenIdSchema, "to"),
    credentialId: credentialId(publicKey.export({ type: "spki", format: "der" })),
  };
};

const keptDeveloper = (layout: StateLayout, keyFile: string): Developer => {
  const file = join(layout.developer, "developer.json");
  if (existsSync(file)) return developerSchema.parse(JSON.parse(readFileSync(file, "utf8")));
  mkdirSync(layout.developer, { recursive: true, mode: 0o700 });
  const developer = makeDeveloper(keyFile);
  writePrivate(file, `${JSON.stringify(developer, undefined, 2)}\n`);
  return developer;
};

/** Issues a bearer token of the cluster, for whom and as long as the caller says. */
export const issueClusterToken = async (
  layout: StateLayout,
  clusterId: string,
  caller: { readonly orgId: string; readonly userId: string; readonly tokenId: string },
  times: { readonly issuedAt: Date; readonly lifetimeSeconds: number },
): Promise<string> => {
  const passphrase = await loadPassphrase({ keyFile: join(layout.gateway, "passphrase.key") });
  if (!passphrase.ok) throw new Error(passphrase.problem.message);
  const key = loadSigningKey(readFileSync(join(layout.gateway, "token.key"), "utf8"), passphrase.value);
  if (!key.ok) throw new Error(key.problem.message);
  return issueToken(key.value, {
    clusterId,
    caller: {
      orgId: organisationIdSchema.parse(caller.orgId),
      userId: userIdSchema.parse(caller.userId),
      tokenId: tokenIdSchema.parse(caller.tokenId),
      tokenKind: "Token",
    },
    username: "dev",
    ...times,
  });
};

/** The development organisation's user, made at first use, with a fresh token. */
export const developerAccess = async (layout: StateLayout, clusterId: string): Promise<DeveloperAccess> => {
  const keyFile = join(layout.developer, "credential.pem");
  const { credentialId: id, ...caller } = keptDeveloper(layout, keyFile);
  const times = { issuedAt: new Date(), lifetimeSeconds: TOKEN_LIFETIME_S };
  const token = await issueClusterToken(layout, clusterId, caller, times);
  return { orgId: caller.orgId, userId: caller.userId, token, credential: { id, keyFile } };
};

/** Enters an organisation, if it is not there yet. The gateway has made the tables by then. */
export const enterOrganisation = async (databaseUrl: string, orgId: string): Promise<void> => {
  const database = openDatabase({ url: databaseUrl, name: "conclave-provisioning" });
  try {
    await insertOrganisation(database, {
      id: organisationIdSchema.parse(orgId),
      name: ORGANISATION_NAME,
      dateCreated: new Date().toISOString(),
    });
  } finally {
    await database.close();
  }
};

/** Enters the key with which the development user signs actions, if it is not there yet; after its organisation. */
export const enterCredential = async (databaseUrl: string, developer: DeveloperAccess): Promise<void> => {
  const publicKey = createPublicKey(readFileSync(developer.credential.keyFile, "utf8"));
  const database = openDatabase({ url: databaseUrl, name: "conclave-provisioning" });
  try {
    await insertCredential(database, {
      id: developer.credential.id,
      orgId: organisationIdSchema.parse(developer.orgId),
      userId: userIdSchema.parse(developer.userId),
      name: "dev",
      publicKey: publicKey.export({ type: "spki", format: "pem" }).toString(),
      isActive: true,
      dateCreated: new Date().toISOString(),
    });
  } finally {
    await database.close();
  }
};
