import { fail, type OrganisationId, ok, problem, type Result, userIdSchema } from "@conclave/custody";
import {
  type Connection,
  type Credential,
  lockSigning,
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
 * Gives a person a challenge to log in. The answer does not reveal whether the user exists: an unknown username gets
 * decoys. Without a username, the credential itself identifies its user.
 * @param appId from the request, whose sender is not authenticated
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

/** The operation that gives challenges for logins. */
const START_AGAIN = { startAgain: "POST /auth/login/init" };

/**
 * The user with a given name, and the credentials that a challenge lists: decoys if there is no such user, or the user
 * has none.
 */
interface Named {
  readonly user: User | undefined;
  /** credentials that may sign; no decoys */
  readonly usable: readonly Credential[];
  /** without private keys that are encrypted under a password: anybody who knows the username could try passwords on them */
  readonly credentials: readonly ListedCredential[];
}

/** Looks everything up for unknown names too, so that the time does not reveal them. */
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
 * Logs in a person who signed the challenge.
 * @returns the text of a token that is valid for six hours
 * @throws Refused with ChallengeInvalid, LoginRefused, or UserDeactivated, which only the signer of the challenge gets
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
    if (!(await lockSigning(connection, credential))) throw new Refused(problem("LoginRefused"));
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
 * Logs an end user in at the request of a caller who vouches for them; employees log in themselves.
 * @throws Refused with UserNotFound, UserDeactivated, or PermissionMissing when the user has permissions that the
 * caller lacks
 */
export const delegateLogin = (dependencies: Needed, giver: Giver, username: string): Promise<string> =>
  dependencies.database.transaction(async (connection) => {
    const user = await readPersonNamed(connection, giver.caller.orgId, username);
    if (user?.kind !== "EndUser") throw new Refused(problem("UserNotFound", { username }));
    if (!user.isActive) throw new Refused(problem("UserDeactivated"));
    demand(await judgeVouching(connection, giver, user.id));
    return (await openLogin(dependencies, connection, user, undefined)).text;
  });
