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
  type Credential,
  endCredentialCodes,
  endSessionsOfCredential,
  listCredentials,
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
  { orgId, userId, tokenId }: Caller,
  uuid: CredentialUuid,
  isActive: boolean,
): Promise<Result<void>> =>
  database.transaction(async (connection) => {
    const credentials = await lockCredentials(connection, orgId, userId);
    const credential = credentials.find((each) => each.uuid === uuid);
    if (credential === undefined) {
      return fail("CredentialNotFound", { credentialUuid: uuid });
    }
    const others = credentials.filter(
      (each) => each.uuid !== uuid && each.isActive && each.kind !== "RecoveryKey",
    );
    if (!isActive && others.length === 0) return fail("CredentialNeeded", { credentialUuid: uuid });
    await setCredentialActive(connection, uuid, isActive);
    if (!isActive) {
      await endSessionsOfCredential(connection, orgId, userId, credential.id, tokenId);
      await endCredentialCodes(connection, userId);
    }
    return ok(undefined);
  });
