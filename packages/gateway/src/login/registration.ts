import {
  type DelegatedRegistrationBody,
  fail,
  type OrganisationId,
  ok,
  problem,
  type RegisterBody,
  type Result,
} from "@conclave/custody";
import {
  type Application,
  type Caller,
  type Connection,
  type Credential,
  lockUser,
  type PendingChallenge,
  putRegistrationCode,
  readPersonNamed,
  spendChallenge,
  type User,
  updateUser,
} from "@conclave/platform";
import { registerCredentials } from "../credential/register.ts";
import { firstRegistrationView } from "../credential/registration-view.ts";
import { relyingPartyOf } from "../credential/relying-party-view.ts";
import type { Dependencies } from "../dependencies.ts";
import { demand, Refused } from "../http/refused.ts";
import { giveEndUserAccess } from "../people/end-user-access.ts";
import { namedApplication } from "../people/named-application.ts";
import { addUser, newPerson } from "../people/people.ts";
import { type Giver, judgeVouching } from "../permission/hand-out.ts";
import { invitedBy } from "./registration-code.ts";

type Needed = Pick<Dependencies, "database" | "issuer" | "relyingParties" | "now" | "world">;

/** The operation that gives the token of a registration, with its challenge. */
export const REGISTER_AGAIN = { startAgain: "POST /auth/registration/init" };
const LOG_IN = { startAgain: "POST /auth/login/init" };

/** Makes a challenge with which a person registers the first credential. */
export const firstChallenge = async (
  dependencies: Pick<Needed, "issuer" | "relyingParties">,
  { orgId, id: userId, username }: User,
  application: Application | undefined,
) => {
  const issued = await dependencies.issuer.challenge("registration", { orgId, userId });
  return firstRegistrationView(relyingPartyOf(dependencies, application), { id: userId, username }, issued);
};

/**
 * Gives an invited person a challenge to register a first credential.
 * @param appId from the request, whose sender is not authenticated
 * @throws Refused with the problem of the code
 */
export const beginRegistration = async (
  dependencies: Needed,
  asked: { readonly orgId: OrganisationId; readonly username: string; readonly registrationCode: string },
  appId: string | undefined,
) => {
  const user = demand(await invitedBy(dependencies, asked));
  return firstChallenge(dependencies, user, await namedApplication(dependencies.database, user.orgId, appId));
};

/** The caller who vouches for an end user, and the application that the caller names. */
interface Voucher {
  readonly caller: Caller;
  readonly application: Application | undefined;
}

/**
 * Adds an end user, and makes their challenge for the caller who vouches for them.
 * @throws Refused with UserNameTaken
 */
export const beginDelegatedRegistration = async (
  dependencies: Needed,
  { caller: { orgId }, application }: Voucher,
  body: DelegatedRegistrationBody,
) => {
  const person = newPerson(dependencies.world, orgId, body, dependencies.now().toISOString());
  await dependencies.database.transaction(async (connection) => {
    demand(await addUser(connection, person));
    await giveEndUserAccess(dependencies.world, connection, person);
  });
  return firstChallenge(dependencies, person, application);
};

/**
 * Makes a new challenge for an end user who has not registered yet.
 * @throws Refused with UserNotFound, or PermissionMissing when the user has permissions that the caller lacks
 */
export const restartDelegatedRegistration = async (
  dependencies: Needed,
  giver: Giver & Voucher,
  { email }: DelegatedRegistrationBody,
) => {
  const user = await readPersonNamed(dependencies.database, giver.caller.orgId, email);
  const isWaiting = user?.kind === "EndUser" && !user.isRegistered && user.isActive;
  if (user === undefined || !isWaiting) throw new Refused(problem("UserNotFound", { username: email }));
  demand(await judgeVouching(dependencies.database, giver, user.id));
  return firstChallenge(dependencies, user, giver.application);
};

/** A user who has registered, with the first credential. */
export interface Registered {
  readonly user: User;
  readonly credential: Credential;
}

/**
 * Registers a person's first credentials, all or none.
 * @param token the temporaryAuthenticationToken of the challenge
 * @throws Refused with TokenInvalid for a token that is invalid or expired, or whose user has registered meanwhile, or
 * with errors of `registerCredentials`
 */
export const completeRegistration = async (
  dependencies: Needed,
  token: string | undefined,
  body: RegisterBody,
): Promise<Registered> => {
  const pending = token === undefined ? undefined : await dependencies.issuer.read("registration", token);
  if (pending?.userId === undefined) return demand(fail("TokenInvalid", REGISTER_AGAIN));
  return dependencies.database.transaction((connection) =>
    enterRegistered(dependencies, connection, pending, body),
  );
};

/** Registers a user's first credentials inside a transaction, by the challenge in the registration's token. */
export const enterRegistered = async (
  dependencies: Needed,
  connection: Connection,
  { id, orgId, userId, challenge: issued, dateExpires }: PendingChallenge,
  body: RegisterBody,
): Promise<Registered> => {
  const found = userId === undefined ? undefined : await lockUser(connection, orgId, userId);
  const user = demand(openTo(found));
  const credential = await registerCredentials(dependencies, connection, user, body, issued);
  if (!(await spendChallenge(connection, id, dateExpires)))
    return demand(fail("TokenInvalid", REGISTER_AGAIN));
  return { user: await enter(connection, user), credential };
};

const openTo = (user: User | undefined): Result<User> => {
  if (user?.isActive !== true) return fail("TokenInvalid", REGISTER_AGAIN);
  // the answer to a first try may have been lost, or have reported that a wallet takes longer
  return user.isRegistered ? fail("TokenInvalid", LOG_IN, "The user has registered already.") : ok(user);
};

const enter = async (connection: Connection, user: User): Promise<User> => {
  const registered = { ...user, isRegistered: true };
  await updateUser(connection, registered);
  await putRegistrationCode(connection, user.id, undefined);
  return registered;
};
