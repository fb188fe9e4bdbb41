import { isDeepStrictEqual } from "node:util";
import { fail, problem, type RegisterBody } from "@conclave/custody";
import {
  archiveAccessTokens,
  type Connection,
  type Credential,
  changeRights,
  deactivateCredentials,
  endCredentialCodes,
  endSessions,
  lockCredentials,
  lockUser,
  type PendingChallenge,
  spendChallenge,
  type User,
} from "@conclave/platform";
import { challengeOf, readJson } from "../credential/client-data.ts";
import { registerCredentials } from "../credential/register.ts";
import { signatureHolds } from "../credential/signature.ts";
import type { Dependencies } from "../dependencies.ts";
import { demand, Refused } from "../http/refused.ts";
import type { Registered } from "../login/registration.ts";
import type { RecoverBody } from "../schemas/people/recovery.ts";

type Needed = Pick<Dependencies, "database" | "issuer" | "relyingParties" | "now" | "world">;
type Assertion = RecoverBody["recovery"]["credentialAssertion"];

/** The operation that gives the token of a recovery, with its challenge. */
const START_AGAIN = { startAgain: "POST /auth/recover/user/init" };

/**
 * Gives a person new credentials that their recovery key signed, and removes all earlier ones, their sessions, their
 * personal access tokens and their codes for other devices, as a thief may hold them.
 * @param token the temporaryAuthenticationToken of the challenge
 * @throws Refused with TokenInvalid for a token that is invalid, expired or used up; RecoveryRefused; UserDeactivated;
 * or errors of `registerCredentials`
 */
export const completeRecovery = async (
  dependencies: Needed,
  token: string | undefined,
  { recovery, newCredentials }: RecoverBody,
): Promise<Registered> => {
  const pending = token === undefined ? undefined : await dependencies.issuer.read("recovery", token);
  if (pending?.userId === undefined) return demand(fail("TokenInvalid", START_AGAIN));
  const { orgId, userId } = pending;
  return dependencies.database.transaction(async (connection) => {
    await changeRights(connection, orgId);
    const user = await lockUser(connection, orgId, userId);
    if (user === undefined) return demand(fail("TokenInvalid", START_AGAIN));
    const key = await keyThatSigned(connection, pending, recovery.credentialAssertion);
    if (!isSignedBy(key, recovery.credentialAssertion, newCredentials)) {
      return demand(fail("RecoveryRefused", START_AGAIN));
    }
    if (!user.isActive) throw new Refused(problem("UserDeactivated"));
    if (!(await spendChallenge(connection, pending.id, pending.dateExpires))) {
      return demand(fail("TokenInvalid", START_AGAIN));
    }
    await takeEverything(dependencies, connection, user);
    const { challenge } = pending;
    const credential = await registerCredentials(dependencies, connection, user, newCredentials, challenge);
    return { user, credential };
  });
};

/** The recovery key that the challenge named, if it is the one that signed and is still active. */
const keyThatSigned = async (
  connection: Connection,
  { orgId, userId, credentialId }: PendingChallenge,
  { credId }: Assertion,
): Promise<Credential | undefined> => {
  if (userId === undefined || credId !== credentialId) return undefined;
  const credentials = await lockCredentials(connection, orgId, userId);
  return credentials.find(({ id, kind, isActive }) => id === credId && kind === "RecoveryKey" && isActive);
};

/**
 * Whether the recovery key signed the new credentials: its challenge is their JSON, in base64url. Each of them signs a
 * challenge that the service issued, so none can come from another recovery.
 */
const isSignedBy = (
  key: Credential | undefined,
  { clientData, signature, algorithm }: Assertion,
  newCredentials: RegisterBody,
): boolean => {
  const challenge = challengeOf(clientData, "key.get");
  if (key === undefined || challenge === undefined) return false;
  const sent: unknown = JSON.parse(JSON.stringify(newCredentials));
  return (
    isDeepStrictEqual(readJson(challenge), sent) &&
    signatureHolds(
      key.publicKey,
      Buffer.from(clientData, "base64url"),
      Buffer.from(signature, "base64url"),
      algorithm,
    )
  );
};

const takeEverything = async (
  { now }: Pick<Needed, "now">,
  connection: Connection,
  { orgId, id }: User,
): Promise<void> => {
  await deactivateCredentials(connection, orgId, id);
  await endSessions(connection, orgId, id, undefined);
  await endCredentialCodes(connection, id);
  await archiveAccessTokens(connection, orgId, id, now().toISOString());
};
