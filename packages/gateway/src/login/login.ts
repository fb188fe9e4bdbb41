import { fail, type OrganisationId, ok, problem, type Result, userIdSchema } from "@conclave/custody";
import {
  type Connection,
  type Credential,
  type PendingChallenge,
  readCredential,
  readCredentialSamples,
  readPersonNamed,
  readUser,
  spendChallenge,
  type User,
} from "@conclave/platform";
import { challengeView, type ListedCredential } from "../credential/challenge-view.ts";
import { judgeFactors, type SignInFactors } from "../credential/factors.ts";
import { relyingPartyOf } from "../credential/relying-party-view.ts";
import { personsCredentials } from "../credential/signing-credentials.ts";
import type { Dependencies } from "../dependencies.ts";
import { demand, Refused } from "../http/refused.ts";
import { namedApplication } from "../people/named-application.ts";
import { type Giver, judgeVouching } from "../permission/hand-out.ts";
import { openLogin } from "./session.ts";

type Needed = Pick<Dependencies, "database" | "issuer" | "decoys" | "relyingParties" | "now" | "world">;

/**
 * Challenges somebody to log in. Whether there is such a user does not show: a name that nobody has is answered with a
 * credential that nobody has. Without a username, a credential says itself whose it is.
 * @param appId as the request names it, from any sender
 */
export const beginLogin = async (
  dependencies: Needed,
  { orgId, username }: { readonly orgId: OrganisationId; readonly username?: string | undefined },
  appId: string | undefined,
) => {
  const rp = relyingPartyOf(dependencies, await namedApplication(dependencies.database, orgId, appId));
  const { challenge, token } = await dependencies.issuer.challenge("login", {
    orgId,
    ...(username === undefined ? {} : { username }),
  });
  const credentials = username === undefined ? [] : (await named(dependencies, orgId, username)).credentials;
  return challengeView({ challenge, challengeIdentifier: token }, credentials, rp);
};

/** Where the challenges of logins come from. */
const START_AGAIN = { startAgain: "POST /auth/login/init" };

/** The user of a name, with the credentials that a challenge lists: decoys where nobody has it, or has none. */
interface Named {
  readonly user: User | undefined;
  /** with which they may sign; decoys sign nothing */
  readonly usable: readonly Credential[];
  /**
   * private keys under a password are not sent to everybody who knows a username: the password could be tried
   * out on them
   */
  readonly credentials: readonly ListedCredential[];
}

/** Everything is looked up and made for names of nobody too: how long it takes shall not tell either. */
const named = async (
  { database, decoys, world }: Pick<Needed, "decoys" | "world"> & { readonly database: Connection },
  orgId: OrganisationId,
  username: string,
): Promise<Named> => {
  const user = await readPersonNamed(database, orgId, username);
  const own = await personsCredentials(database, orgId, user?.id ?? world.freshId(userIdSchema, "us"));
  const nobodys = decoys(orgId, username, await readCredentialSamples(database, orgId));
  const shown = own.filter(({ kind }) => kind !== "PasswordProtectedKey");
  return {
    user,
    usable: own.length > 0 ? own : nobodys,
    credentials: shown.length > 0 ? shown : nobodys,
  };
};

/**
 * Logs somebody in who signed the challenge.
 * @returns the text of a token that is good for six hours
 * @throws Refused with ChallengeInvalid, LoginRefused, or UserDeactivated, which only the signer of the
 * challenge learns
 */
export const completeLogin = async (
  dependencies: Needed,
  challengeIdentifier: string,
  factors: SignInFactors,
): Promise<string> => {
  const pending = await dependencies.issuer.read("login", challengeIdentifier);
  if (pending === undefined) throw new Refused(problem("ChallengeInvalid", START_AGAIN));
  return dependencies.database.transaction(async (connection) => {
    const { user, credential } = demand(await whoSigned(dependencies, connection, pending, factors));
    if (!(await spendChallenge(connection, pending.id, pending.dateExpires))) {
      throw new Refused(problem("ChallengeInvalid", START_AGAIN));
    }
    if (!user.isActive) throw new Refused(problem("UserDeactivated"));
    return (await openLogin(dependencies, connection, user, credential)).text;
  });
};

const whoSigned = async (
  { decoys, world }: Pick<Needed, "decoys" | "world">,
  connection: Connection,
  { orgId, username, challenge }: PendingChallenge,
  factors: SignInFactors,
): Promise<Result<{ readonly user: User; readonly credential: Credential }>> => {
  const { user, usable } =
    username === undefined
      ? await holderOf(connection, orgId, factors)
      : await named({ database: connection, decoys, world }, orgId, username);
  const proof = await judgeFactors(connection, usable, factors, challenge);
  const isTheirs = user !== undefined && !user.isServiceAccount && proof?.credential.userId === user.id;
  return isTheirs ? ok({ user, credential: proof.credential }) : fail("LoginRefused");
};

const holderOf = async (
  connection: Connection,
  orgId: OrganisationId,
  { firstFactor }: SignInFactors,
): Promise<Pick<Named, "user" | "usable">> => {
  const credential = await readCredential(connection, orgId, firstFactor.credentialAssertion.credId);
  if (credential === undefined) return { user: undefined, usable: [] };
  const user = await readUser(connection, orgId, credential.userId);
  return { user, usable: await personsCredentials(connection, orgId, credential.userId) };
};

/**
 * Logs an end user in on the word of a caller who vouches for them; employees log in themselves.
 * @throws Refused with UserNotFound, UserDeactivated, or PermissionMissing when this one may do what the giver
 * may not
 */
export const delegateLogin = (dependencies: Needed, giver: Giver, username: string): Promise<string> =>
  dependencies.database.transaction(async (connection) => {
    const user = await readPersonNamed(connection, giver.caller.orgId, username);
    if (user?.kind !== "EndUser") throw new Refused(problem("UserNotFound", { username }));
    if (!user.isActive) throw new Refused(problem("UserDeactivated"));
    demand(await judgeVouching(connection, giver, user.id));
    return (await openLogin(dependencies, connection, user, undefined)).text;
  });
