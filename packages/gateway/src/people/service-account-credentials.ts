import {
  type CreateServiceAccountCredentialBody,
  type CredentialUuid,
  credentialUuidSchema,
  fail,
  MOST_SERVICE_ACCOUNT_CREDENTIALS,
  ok,
  type Result,
} from "@conclave/custody";
import {
  type Caller,
  type Connection,
  type Credential,
  deleteCredential,
  fingerprintOf,
  insertCredential,
  listCredentialsOfToken,
  lockAccessToken,
  type StoredAccessToken,
  showCredentialOfToken,
} from "@conclave/platform";
import { readPublicKey } from "../credential/public-key.ts";
import type { Dependencies } from "../dependencies.ts";
import { demand } from "../http/refused.ts";
import { credentialOfToken } from "./token-key.ts";

const NAME = "Key";

/**
 * The token of the service account that calls, locked until the transaction ends, so that two changes of its credentials
 * are judged one after the other.
 * @returns ServiceAccountNeeded for every other caller
 */
const ownToken = async (
  connection: Connection,
  { orgId, userId, tokenKind, tokenId }: Caller,
): Promise<Result<StoredAccessToken>> => {
  if (tokenKind !== "ServiceAccount" || tokenId === undefined) return fail("ServiceAccountNeeded");
  const token = await lockAccessToken(connection, orgId, tokenId);
  const isTheirs = token?.kind === "ServiceAccount" && token.userId === userId && token.isActive;
  return isTheirs ? ok(token) : fail("ServiceAccountNeeded");
};

/**
 * Adds a key to those that sign the actions of the calling service account's token. It signs for that token alone, so it
 * gives no right that the token has not.
 * @throws Refused with ServiceAccountNeeded, PublicKeyInvalid, or TooManyServiceAccountCredentials
 */
export const createServiceAccountCredential = (
  { database, now, world }: Pick<Dependencies, "database" | "now" | "world">,
  caller: Caller,
  body: CreateServiceAccountCredentialBody,
): Promise<Credential> =>
  database.transaction(async (connection) => {
    const token = demand(await ownToken(connection, caller));
    const publicKey = demand(readPublicKey(body.publicKey));
    const known = await listCredentialsOfToken(connection, token.orgId, token.id);
    if (known.length >= MOST_SERVICE_ACCOUNT_CREDENTIALS) {
      return demand(fail("TooManyServiceAccountCredentials", { most: MOST_SERVICE_ACCOUNT_CREDENTIALS }));
    }
    const uuid = world.freshId(credentialUuidSchema, "cr");
    const credential = credentialOfToken({
      uuid,
      orgId: token.orgId,
      userId: token.userId,
      tokenId: token.id,
      name: body.name ?? NAME,
      publicKey,
      dateCreated: now().toISOString(),
    });
    const added = await insertCredential(connection, credential);
    return added ? credential : demand(fail("CredentialTaken", { credentialId: credential.id }));
  });

/**
 * Deletes a key of the calling service account's token for good; one that signs must stay. A token whose first key goes
 * shows the oldest of those that stay.
 * @returns ServiceAccountNeeded, CredentialNotFound, or CredentialNeeded
 */
export const removeServiceAccountCredential = (
  { database, now }: Pick<Dependencies, "database" | "now">,
  caller: Caller,
  uuid: CredentialUuid,
): Promise<Result<void>> =>
  database.transaction(async (connection) => {
    const token = await ownToken(connection, caller);
    if (!token.ok) return token;
    const { orgId, id, credId } = token.value;
    const known = await listCredentialsOfToken(connection, orgId, id);
    const credential = known.find((each) => each.uuid === uuid);
    if (credential === undefined) return fail("CredentialNotFound", { credentialUuid: uuid });
    const next = known.find((each) => each.uuid !== uuid && each.isActive);
    if (next === undefined) return fail("CredentialNeeded", { credentialUuid: uuid });
    await deleteCredential(connection, credential, now().toISOString());
    if (credential.id === credId) {
      const shown = { credId: next.id, publicKey: fingerprintOf(next.publicKey) };
      await showCredentialOfToken(connection, { orgId, id }, shown);
    }
    return ok(undefined);
  });
