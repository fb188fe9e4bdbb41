import { createHash, createPublicKey } from "node:crypto";
import {
  assignmentIdSchema,
  credentialUuidSchema,
  FULL_ADMIN_NAME,
  isoNow,
  type OrganisationId,
  permissionIdSchema,
  type TokenId,
  type UserId,
  type World,
} from "@conclave/custody";
import type { Connection, Database } from "../database.ts";
import { insertAssignment } from "../policies/permission-assignments.ts";
import { insertPermission, readFullAdmin } from "../policies/permissions.ts";
import { putAccessToken } from "./access-tokens.ts";
import { insertCredential } from "./credentials.ts";
import { insertOrganisation } from "./organisations.ts";
import { insertUser } from "./users.ts";

/** The key with which the user signs actions. */
export interface FirstCredential {
  /** credId, as clients send it */
  readonly id: string;
  /** SPKI in PEM */
  readonly publicKey: string;
}

/** An administrator of an organisation, who may do every operation. */
export interface FirstUser {
  readonly orgId: OrganisationId;
  readonly userId: UserId;
  readonly username: string;
  readonly credential?: FirstCredential;
}

/** A service account that may do every operation in its organisation, with its token. */
export interface FirstServiceAccount extends FirstUser {
  readonly credential: FirstCredential;
  readonly token: { readonly id: TokenId; readonly text: string; readonly dateExpires: string };
}

/** The fingerprint of a public key: SHA256:<43 characters> (wire interface, section B.5). */
export const fingerprintOf = (publicKey: string): string => {
  const der = createPublicKey(publicKey).export({ type: "spki", format: "der" });
  return `SHA256:${createHash("sha256").update(der).digest("base64").replace(/=+$/, "")}`;
};

/** The hash of a token's text, which is stored in place of the text. */
export const tokenHashOf = (text: string): Uint8Array =>
  new Uint8Array(createHash("sha256").update(text).digest());

/**
 * Creates the first organisation, its administrators and its service account, unless they exist. The caller controls the
 * database, so no permission is checked.
 *
 * @param world its clock dates the new rows
 * @param known whether users that exist are left as they are, so that a right or a key that was taken from them stays
 * taken, or get the right and the key again, where nobody but the caller uses the organisation
 */
export const bootstrapOrganisation = (
  world: Pick<World, "nowMs">,
  database: Database,
  organisation: { readonly id: OrganisationId; readonly name: string },
  first: { readonly users: readonly FirstUser[]; readonly serviceAccounts: readonly FirstServiceAccount[] },
  known: "left" | "restored" = "left",
): Promise<void> =>
  database.transaction(async (connection) => {
    const dateCreated = isoNow(world);
    await insertOrganisation(connection, { ...organisation, dateCreated });
    // a list may give a user several keys
    const made = new Set<UserId>();
    const entered = async (user: FirstUser, isServiceAccount: boolean): Promise<void> => {
      if (await insertFirstUser(connection, user, isServiceAccount, dateCreated)) made.add(user.userId);
      if (known === "restored" || made.has(user.userId)) await equip(connection, user, dateCreated);
    };
    for (const user of first.users) await entered(user, false);
    for (const account of first.serviceAccounts) {
      await entered(account, true);
      await putAccessToken(connection, {
        id: account.token.id,
        orgId: account.orgId,
        kind: "ServiceAccount",
        name: account.username,
        userId: account.userId,
        appId: undefined,
        credId: account.credential.id,
        publicKey: fingerprintOf(account.credential.publicKey),
        tokenHash: tokenHashOf(account.token.text),
        externalId: undefined,
        isActive: true,
        dateCreated,
        dateExpires: account.token.dateExpires,
        dateArchived: undefined,
      });
    }
  });

/** @returns false, and changes nothing, if there is such a user */
const insertFirstUser = (
  connection: Connection,
  { orgId, userId, username }: FirstUser,
  isServiceAccount: boolean,
  dateCreated: string,
): Promise<boolean> =>
  insertUser(connection, {
    id: userId,
    orgId,
    username,
    name: username,
    kind: "CustomerEmployee",
    isServiceAccount,
    isRegistered: true,
    isActive: true,
    externalId: undefined,
    dateCreated,
    dateArchived: undefined,
  });

/** Gives a user every right, and the key. */
const equip = async (
  connection: Connection,
  { orgId, userId, username, credential }: FirstUser,
  dateCreated: string,
): Promise<void> => {
  await insertAssignment(connection, {
    id: connection.freshId(assignmentIdSchema, "as"),
    orgId,
    permissionId: await fullAdmin(connection, orgId, dateCreated),
    identityId: userId,
    isImmutable: false,
    dateCreated,
    dateUpdated: dateCreated,
  });
  if (credential === undefined) return;
  await insertCredential(connection, {
    ...credential,
    uuid: connection.freshId(credentialUuidSchema, "cr"),
    kind: "Key",
    orgId,
    userId,
    name: username,
    isActive: true,
    relyingPartyId: "",
    origin: "",
    encryptedPrivateKey: undefined,
    signCount: 0,
    coseKey: undefined,
    tokenId: undefined,
    dateCreated,
  });
};

const fullAdmin = async (connection: Connection, orgId: OrganisationId, dateCreated: string) => {
  const known = await readFullAdmin(connection, orgId);
  if (known !== undefined) return known.id;
  const id = connection.freshId(permissionIdSchema, "pm");
  await insertPermission(connection, {
    id,
    orgId,
    name: FULL_ADMIN_NAME,
    operations: [],
    grantsEverything: true,
    isImmutable: true,
    isArchived: false,
    dateCreated,
    dateUpdated: dateCreated,
  });
  // if two processes do this at the same time, only one can create it, because the name is unique
  return (await readFullAdmin(connection, orgId))?.id ?? id;
};
