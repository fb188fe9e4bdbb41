import { createPublicKey, generateKeyPairSync } from "node:crypto";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { organisationIdSchema, tokenIdSchema, userIdSchema } from "@conclave/custody";
import {
  bootstrapOrganisation,
  type Database,
  freshId,
  issueToken,
  loadPassphrase,
  loadSigningKey,
  openDatabase,
  processWorld,
} from "@conclave/platform";
import { z } from "zod";
import type { StateLayout } from "../state/layout.ts";
import { writePrivate } from "../state/private-file.ts";

const ORGANISATION_NAME = "Development";
const TOKEN_LIFETIME_S = 30 * 86_400;
const SERVICE_TOKEN_LIFETIME_S = 730 * 86_400;

const identityFields = { userId: userIdSchema, tokenId: tokenIdSchema, credentialId: z.string() };
const developerSchema = z.object({
  orgId: organisationIdSchema,
  ...identityFields,
  serviceAccount: z.object(identityFields).optional(),
});
type Developer = z.infer<typeof developerSchema>;
type Identity = Pick<Developer, "userId" | "tokenId" | "credentialId">;
type KeptDeveloper = Developer & { readonly serviceAccount: Identity };

/** The access of a person or a program to the API of a development cluster. */
export interface ApiAccess {
  readonly userId: string;
  /** bearer token */
  readonly token: string;
  /** path of the file with that token alone */
  readonly tokenFile: string;
  readonly credential: {
    readonly id: string;
    /** path of the PEM of the client's Ed25519 key, which signs user actions */
    readonly keyFile: string;
  };
}

/** The access of an organisation's administrator, and of a service account with the same permissions. */
export interface DeveloperAccess extends ApiAccess {
  readonly orgId: string;
  readonly serviceAccount: ApiAccess & { readonly tokenId: string; readonly dateExpires: string };
}

const credentialId = (publicKey: Buffer): string => publicKey.subarray(-32).toString("base64url");

const makeIdentity = (keyFile: string): Identity => {
  const { publicKey, privateKey } = generateKeyPairSync("ed25519");
  writePrivate(keyFile, privateKey.export({ type: "pkcs8", format: "pem" }).toString());
  return {
    userId: freshId(userIdSchema, "us"),
    tokenId: freshId(tokenIdSchema, "to"),
    credentialId: credentialId(publicKey.export({ type: "spki", format: "der" })),
  };
};

interface AccessFiles {
  readonly user: string;
  readonly serviceAccount: string;
}

const keyFilesOf = (layout: StateLayout): AccessFiles => ({
  user: join(layout.developer, "credential.pem"),
  serviceAccount: join(layout.developer, "service-account.pem"),
});

const tokenFilesOf = (layout: StateLayout): AccessFiles => ({
  user: join(layout.developer, "token"),
  serviceAccount: join(layout.developer, "service-account.token"),
});

/** Reads or creates the identities of this state folder. A folder from a version without service accounts gets one now. */
const keptDeveloper = (layout: StateLayout, keyFiles: AccessFiles): KeptDeveloper => {
  const file = join(layout.developer, "developer.json");
  mkdirSync(layout.developer, { recursive: true, mode: 0o700 });
  const kept: Developer = existsSync(file)
    ? developerSchema.parse(JSON.parse(readFileSync(file, "utf8")))
    : { orgId: freshId(organisationIdSchema, "or"), ...makeIdentity(keyFiles.user) };
  if (kept.serviceAccount !== undefined) return { ...kept, serviceAccount: kept.serviceAccount };
  const developer = { ...kept, serviceAccount: makeIdentity(keyFiles.serviceAccount) };
  writePrivate(file, `${JSON.stringify(developer, undefined, 2)}\n`);
  return developer;
};

/** Issues a bearer token of the cluster for the given caller and duration. */
export const issueClusterToken = async (
  layout: StateLayout,
  clusterId: string,
  caller: {
    readonly orgId: string;
    readonly userId: string;
    readonly tokenId: string;
    readonly kind?: "Token" | "ServiceAccount";
  },
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
      tokenKind: caller.kind ?? "Token",
    },
    username: caller.kind === "ServiceAccount" ? "dev-service" : "dev",
    ...times,
  });
};

/**
 * Returns the development organisation's administrator and service account with new tokens, which are written to files, too. Their
 * identities are created at first use.
 */
export const developerAccess = async (layout: StateLayout, clusterId: string): Promise<DeveloperAccess> => {
  const [keyFiles, tokenFiles] = [keyFilesOf(layout), tokenFilesOf(layout)];
  const { orgId, serviceAccount, ...user } = keptDeveloper(layout, keyFiles);
  const issuedAt = new Date();
  const issue = ({ userId, tokenId }: Identity, kind: "Token" | "ServiceAccount", lifetimeSeconds: number) =>
    issueClusterToken(layout, clusterId, { orgId, userId, tokenId, kind }, { issuedAt, lifetimeSeconds });
  const token = await issue(user, "Token", TOKEN_LIFETIME_S);
  const serviceToken = await issue(serviceAccount, "ServiceAccount", SERVICE_TOKEN_LIFETIME_S);
  writePrivate(tokenFiles.user, `${token}\n`);
  writePrivate(tokenFiles.serviceAccount, `${serviceToken}\n`);
  return {
    orgId,
    userId: user.userId,
    token,
    tokenFile: tokenFiles.user,
    credential: { id: user.credentialId, keyFile: keyFiles.user },
    serviceAccount: {
      userId: serviceAccount.userId,
      tokenId: serviceAccount.tokenId,
      token: serviceToken,
      tokenFile: tokenFiles.serviceAccount,
      dateExpires: new Date(issuedAt.getTime() + SERVICE_TOKEN_LIFETIME_S * 1_000).toISOString(),
      credential: { id: serviceAccount.credentialId, keyFile: keyFiles.serviceAccount },
    },
  };
};

/** The same access with the administrator's token that its file has now, which `renewDeveloperToken` may have replaced. */
export const withWrittenToken = (developer: DeveloperAccess): DeveloperAccess =>
  existsSync(developer.tokenFile)
    ? { ...developer, token: readFileSync(developer.tokenFile, "utf8").trim() }
    : developer;

const describedClusterSchema = z.looseObject({ clusterId: z.string(), developer: z.looseObject({}) });

/**
 * Issues another token of the development organisation's administrator, whose session was ended, and writes it into its
 * file and into the cluster's description.
 * @returns the token
 */
export const renewDeveloperToken = async (layout: StateLayout): Promise<string> => {
  const described = describedClusterSchema.parse(JSON.parse(readFileSync(layout.description, "utf8")));
  const { orgId, userId, tokenId } = keptDeveloper(layout, keyFilesOf(layout));
  const token = await issueClusterToken(
    layout,
    described.clusterId,
    { orgId, userId, tokenId },
    { issuedAt: new Date(), lifetimeSeconds: TOKEN_LIFETIME_S },
  );
  writePrivate(tokenFilesOf(layout).user, `${token}\n`);
  const renewed = { ...described, developer: { ...described.developer, token } };
  writePrivate(layout.description, `${JSON.stringify(renewed, undefined, 2)}\n`);
  return token;
};

const inDatabase = async (
  databaseUrl: string,
  work: (database: Database) => Promise<void>,
): Promise<void> => {
  const database = openDatabase({ url: databaseUrl, name: "conclave-provisioning" });
  try {
    await work(database);
  } finally {
    await database.close();
  }
};

const publicKeyIn = (keyFile: string): string =>
  createPublicKey(readFileSync(keyFile, "utf8")).export({ type: "spki", format: "pem" }).toString();

/** Inserts an organisation with one administrator, unless they exist. Call it after the gateway has created the tables. */
export const enterOrganisation = (
  databaseUrl: string,
  first: { readonly orgId: string; readonly userId: string },
): Promise<void> =>
  inDatabase(databaseUrl, (database) => {
    const id = organisationIdSchema.parse(first.orgId);
    const users = [{ orgId: id, userId: userIdSchema.parse(first.userId), username: "admin" }];
    return bootstrapOrganisation(
      processWorld,
      database,
      { id, name: ORGANISATION_NAME },
      { users, serviceAccounts: [] },
    );
  });

/** Inserts the development organisation, its administrator and its service account, unless they exist. */
export const enterDeveloper = (databaseUrl: string, developer: DeveloperAccess): Promise<void> =>
  inDatabase(databaseUrl, (database) => {
    const orgId = organisationIdSchema.parse(developer.orgId);
    const first = ({ userId, credential }: ApiAccess, username: string) => ({
      orgId,
      userId: userIdSchema.parse(userId),
      username,
      credential: { id: credential.id, publicKey: publicKeyIn(credential.keyFile) },
    });
    const { serviceAccount } = developer;
    const token = {
      id: tokenIdSchema.parse(serviceAccount.tokenId),
      text: serviceAccount.token,
      dateExpires: serviceAccount.dateExpires,
    };
    return bootstrapOrganisation(
      processWorld,
      database,
      { id: orgId, name: ORGANISATION_NAME },
      {
        users: [first(developer, "dev")],
        serviceAccounts: [{ ...first(serviceAccount, "dev-service"), token }],
      },
      "restored",
    );
  });
