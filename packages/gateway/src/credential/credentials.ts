import {
  type CreateCredentialBody,
  type CredentialUuid,
  fail,
  ok,
  type RegistrableKind,
  type Result,
} from "@conclave/custody";
import {
  type Application,
  type Caller,
  type Connection,
  type Credential,
  deleteCredential,
  endCredentialCodes,
  endSessionsOfCredential,
  listCredentials,
  listCredentialsOfToken,
  lockCredentials,
  setCredentialActive,
  spendChallenge,
} from "@conclave/platform";
import type { Dependencies } from "../dependencies.ts";
import { demand } from "../http/refused.ts";
import { registerCredential } from "./register.ts";
import { registrationView } from "./registration-view.ts";
import { relyingPartyOf } from "./relying-party-view.ts";

/** The operation that gives challenges for new credentials. */
const START_AGAIN = { startAgain: "POST /auth/credentials/init" };

/** The caller's own credentials, oldest first; a service account's with those that sign under its token. */
export const shownCredentials = async (
  { database }: Pick<Dependencies, "database">,
  { orgId, userId, tokenKind, tokenId }: Caller,
): Promise<readonly Credential[]> => {
  const own = await listCredentials(database, orgId, userId);
  if (tokenKind !== "ServiceAccount" || tokenId === undefined) return own;
  const signing = await listCredentialsOfToken(database, orgId, tokenId);
  const listed = new Set(own.map(({ uuid }) => uuid));
  return [...own, ...signing.filter(({ uuid }) => !listed.has(uuid))];
};

/** Gives the caller a challenge to register another credential of this kind. */
export const beginCredential = async (
  dependencies: Pick<Dependencies, "database" | "issuer" | "relyingParties">,
  { orgId, userId }: Caller,
  { username, application }: { readonly username: string; readonly application: Application | undefined },
  kind: RegistrableKind,
) => {
  const challenge = await dependencies.issuer.challenge("credential", { orgId, userId, kind });
  const known = await listCredentials(dependencies.database, orgId, userId);
  const view = registrationView(
    relyingPartyOf(dependencies, application),
    { id: userId, username },
    challenge,
    known,
  );
  return { ...view, kind, challengeIdentifier: challenge.token };
};

/**
 * Registers another credential of the caller.
 * @throws Refused with ChallengeInvalid unless the challenge was for this caller and kind and is fresh; or with a
 * refusal of `registerCredential`
 */
export const completeCredential = async (
  dependencies: Pick<Dependencies, "database" | "issuer" | "relyingParties" | "now" | "world">,
  { orgId, userId }: Caller,
  body: CreateCredentialBody,
): Promise<Credential> => {
  const pending = await dependencies.issuer.read("credential", body.challengeIdentifier);
  const isTheirs =
    pending?.orgId === orgId && pending.userId === userId && pending.kind === body.credentialKind;
  if (pending === undefined || !isTheirs) return demand(fail("ChallengeInvalid", START_AGAIN));
  return dependencies.database.transaction(async (connection) => {
    const user = { orgId, id: userId };
    const made = await registerCredential(dependencies, connection, user, body, pending.challenge);
    const credential = demand(made);
    const isFresh = await spendChallenge(connection, pending.id, pending.dateExpires);
    return isFresh ? credential : demand(fail("ChallengeInvalid", START_AGAIN));
  });
};

/**
 * Activates or deactivates one of the caller's own credentials. Deactivating logs out the sessions of that credential,
 * except the caller's own session, and ends codes for other devices.
 * @returns CredentialNotFound, or CredentialNeeded when no credential would be left that signs
 */
export const switchCredential = (
  { database }: Pick<Dependencies, "database">,
  caller: Caller,
  uuid: CredentialUuid,
  isActive: boolean,
): Promise<Result<void>> =>
  database.transaction(async (connection) => {
    const { orgId, userId } = caller;
    const credentials = await lockCredentials(connection, orgId, userId);
    const credential = credentials.find((each) => each.uuid === uuid);
    if (credential === undefined) {
      return fail("CredentialNotFound", { credentialUuid: uuid });
    }
    if (!isActive && !(await signsWithout(connection, caller, credentials, uuid))) {
      return fail("CredentialNeeded", { credentialUuid: uuid });
    }
    await setCredentialActive(connection, uuid, isActive);
    if (!isActive) await endUsesOf(connection, caller, credential);
    return ok(undefined);
  });

/**
 * Deletes one of the caller's own credentials, active or not, for good, on the terms of `switchCredential`: one that signs
 * stays, and what was opened with the deleted one ends.
 * @returns CredentialNotFound or CredentialNeeded
 */
export const removeCredential = (
  { database, now }: Pick<Dependencies, "database" | "now">,
  caller: Caller,
  uuid: CredentialUuid,
): Promise<Result<void>> =>
  database.transaction(async (connection) => {
    const { orgId, userId } = caller;
    const credentials = await lockCredentials(connection, orgId, userId);
    const credential = credentials.find((each) => each.uuid === uuid);
    if (credential === undefined) return fail("CredentialNotFound", { credentialUuid: uuid });
    if (!(await signsWithout(connection, caller, credentials, uuid))) {
      return fail("CredentialNeeded", { credentialUuid: uuid });
    }
    await deleteCredential(connection, credential, now().toISOString());
    await endUsesOf(connection, caller, credential);
    return ok(undefined);
  });

/** Whether actions are still signed without this credential: those of a service account by a key of its token. */
const signsWithout = async (
  connection: Connection,
  { orgId, tokenKind, tokenId }: Caller,
  own: readonly Credential[],
  uuid: CredentialUuid,
): Promise<boolean> => {
  const isLeft = (credentials: readonly Credential[]): boolean =>
    credentials.some((each) => each.uuid !== uuid && each.isActive && each.kind !== "RecoveryKey");
  if (tokenKind !== "ServiceAccount" || tokenId === undefined) return isLeft(own);
  return isLeft(own) && isLeft(await listCredentialsOfToken(connection, orgId, tokenId));
};

/** Ends the sessions of a credential, except the caller's own session, and codes for other devices. */
const endUsesOf = async (
  connection: Connection,
  { orgId, userId, tokenId }: Pick<Caller, "orgId" | "userId" | "tokenId">,
  { id }: Credential,
): Promise<void> => {
  await endSessionsOfCredential(connection, orgId, userId, id, tokenId);
  await endCredentialCodes(connection, userId);
};
