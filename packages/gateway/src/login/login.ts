import { fail, type OrganisationId, ok, problem, type Result, userIdSchema } from "@conclave/custody";
import {
  type Connection,
  type Credential,
  freshId,
  type PendingChallenge,
  readCredential,
  readPersonNamed,
  readUser,
  spendChallenge,
  type User,
} from "@conclave/platform";
import { challengeView, type ListedCredential } from "../credential/challenge-view.ts";
import { judgeFactors, type SignInFactors } from "../credential/factors.ts";
import { personsCredentials } from "../credential/signing-credentials.ts";
import type { Dependencies } from "../dependencies.ts";
import { demand, Refused } from "../http/refused.ts";
import { openLogin } from "./session.ts";

type Needed = Pick<Dependencies, "database" | "issuer" | "decoys" | "now">;

/**
 * Challenges somebody to log in. Whether there is such a user does not show: a name that nobody has is answered with a
 * credential that nobody has. Without a username, a credential says itself whose it is.
 */
export const beginLogin = async (
  dependencies: Needed,
  { orgId, username }: { readonly orgId: OrganisationId; readonly username?: string | undefined },
) => {
  const { challenge, token } = await dependencies.issuer.challenge("login", {
    orgId,
    ...(username === undefined ? {} : { username }),
  });
  const credentials = username === undefined ? [] : await listed(dependencies, orgId, username);
  return challengeView({ challenge, challengeIdentifier: token }, credentials);
};

/** Private keys under a password are not handed to whoever knows a username: the password could be tried out on them. */
const listed = async (
  { database, decoys }: Needed,
  orgId: OrganisationId,
  username: string,
): Promise<readonly ListedCredential[]> => {
  const user = await readPersonNamed(database, orgId, username);
  // nobody's credentials are looked up too: how long it takes shall not tell either
  const own = await personsCredentials(database, orgId, user?.id ?? freshId(userIdSchema, "us"));
  const shown = own.filter(({ kind }) => kind !== "PasswordProtectedKey");
  return shown.length > 0 ? shown : [decoys(orgId, username)];
};

/**
 * Logs somebody in who signed the challenge.
 * @returns the text of a token that is good for six hours
 * @throws Refused with ChallengeInvalid, LoginRefused, or UserDeactivated, which only whoever signed learns
 */
export const completeLogin = async (
  dependencies: Needed,
  challengeIdentifier: string,
  factors: SignInFactors,
): Promise<string> => {
  const pending = await dependencies.issuer.read("login", challengeIdentifier);
  if (pending === undefined) throw new Refused(problem("ChallengeInvalid"));
  return dependencies.database.transaction(async (connection) => {
    const { user, credential } = demand(await whoSigned(connection, pending, factors));
    if (!(await spendChallenge(connection, pending.id, pending.dateExpires))) {
      throw new Refused(problem("ChallengeInvalid"));
    }
    if (!user.isActive) throw new Refused(problem("UserDeactivated"));
    return openLogin(dependencies, connection, user, credential);
  });
};

const whoSigned = async (
  connection: Connection,
  pending: PendingChallenge,
  factors: SignInFactors,
): Promise<Result<{ readonly user: User; readonly credential: Credential }>> => {
  const { orgId, username } = pending;
  const user =
    username === undefined
      ? await holderOf(connection, orgId, factors)
      : await readPersonNamed(connection, orgId, username);
  if (user === undefined || user.isServiceAccount) return fail("LoginRefused");
  const credentials = await personsCredentials(connection, orgId, user.id);
  const proof = await judgeFactors(connection, credentials, factors, pending.challenge);
  return proof === undefined ? fail("LoginRefused") : ok({ user, credential: proof.credential });
};

const holderOf = async (
  connection: Connection,
  orgId: OrganisationId,
  { firstFactor }: SignInFactors,
): Promise<User | undefined> => {
  const credential = await readCredential(connection, orgId, firstFactor.credentialAssertion.credId);
  return credential === undefined ? undefined : readUser(connection, orgId, credential.userId);
};

/**
 * Logs an end user in on the word of whoever vouches for them; employees log in themselves.
 * @throws Refused with UserNotFound, or UserDeactivated
 */
export const delegateLogin = (
  dependencies: Needed,
  orgId: OrganisationId,
  username: string,
): Promise<string> =>
  dependencies.database.transaction(async (connection) => {
    const user = await readPersonNamed(connection, orgId, username);
    if (user?.kind !== "EndUser") throw new Refused(problem("UserNotFound", { username }));
    if (!user.isActive) throw new Refused(problem("UserDeactivated"));
    return openLogin(dependencies, connection, user, undefined);
  });
