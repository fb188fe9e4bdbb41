import { timingSafeEqual } from "node:crypto";
import { fail, type OrganisationId, ok, problem, type Result, type UserId } from "@conclave/custody";
import {
  type Application,
  type Credential,
  listCredentials,
  type OneTimeCode,
  readPersonNamed,
  readRecoveryCode,
  readUser,
  spendOneTimeCode,
  tokenHashOf,
  type User,
} from "@conclave/platform";
import { makeOneTimeCode } from "../credential/one-time-code.ts";
import { firstRegistrationView } from "../credential/registration-view.ts";
import { relyingPartyOf } from "../credential/relying-party-view.ts";
import type { Dependencies } from "../dependencies.ts";
import { demand, Refused } from "../http/refused.ts";
import { namedApplication } from "../people/named-application.ts";
import { visiblePerson } from "../people/people.ts";
import { type Giver, judgeVouching } from "../permission/hand-out.ts";

type Needed = Pick<Dependencies, "database" | "issuer" | "relyingParties" | "now" | "world">;

const HASH_BYTES = 32;
const CODE_EXPIRES_AFTER_MS = 3_600_000;

/**
 * Makes a recovery code. The service sends no mail: only this answer has the code, and the caller passes it on. The
 * code alone recovers nothing, as the recovery key must sign.
 * @throws Refused with UserNotFound, or UserDeactivated
 */
export const createRecoveryCode = async (
  dependencies: Needed,
  orgId: OrganisationId,
  userId: UserId,
): Promise<{ readonly recoveryCode: string; readonly dateExpires: string }> => {
  const { database, now } = dependencies;
  const user = demand(await visiblePerson(database, orgId, userId));
  if (!user.isActive) throw new Refused(problem("UserDeactivated"));
  const dateExpires = new Date(now().getTime() + CODE_EXPIRES_AFTER_MS).toISOString();
  const asked = { purpose: "recovery", userId, dateExpires } as const;
  return { recoveryCode: await makeOneTimeCode(dependencies, database, asked), dateExpires };
};

/** The stored code of a person who shows one. @returns OneTimeCodeInvalid, which does not reveal whether the user exists */
const shownCode = async (
  { database, now, world }: Needed,
  asked: RecoveryAsked,
): Promise<Result<OneTimeCode>> => {
  const code = await readRecoveryCode(database, asked.orgId, asked.username);
  // compares in any case, so that the time does not reveal whether there is a code
  const expected = code?.hash ?? world.entropy(HASH_BYTES);
  const isTheirs = timingSafeEqual(expected, tokenHashOf(asked.verificationCode));
  const isGood = code !== undefined && isTheirs && Date.parse(code.dateExpires) > now().getTime();
  return isGood ? ok(code) : fail("OneTimeCodeInvalid");
};

/** The user who recovers, with the code and the recovery key. */
export interface RecoveryAsked {
  readonly orgId: OrganisationId;
  readonly username: string;
  readonly verificationCode: string;
  readonly credentialId: string;
}

/**
 * Gives a person who shows a code a challenge to recover; the code is used up.
 * @param appId from the request, whose sender is not authenticated
 * @throws Refused with OneTimeCodeInvalid, or CredentialNotFound, which does not use the code up
 */
export const beginRecovery = async (
  dependencies: Needed,
  asked: RecoveryAsked,
  appId: string | undefined,
) => {
  const { database } = dependencies;
  const code = demand(await shownCode(dependencies, asked));
  const user = await readUser(database, code.orgId, code.userId);
  if (user === undefined) return demand(fail("OneTimeCodeInvalid"));
  const key = demand(await recoveryKeyOf(dependencies, user, asked.credentialId));
  if (!(await spendOneTimeCode(database, code))) return demand(fail("OneTimeCodeInvalid"));
  return challenge(dependencies, user, key, await namedApplication(database, user.orgId, appId));
};

/**
 * Makes a challenge for an end user to recover, at the request of a caller who vouches for them.
 * @throws Refused with UserNotFound, UserDeactivated, CredentialNotFound, or PermissionMissing when the user has
 * permissions that the caller lacks
 */
export const beginDelegatedRecovery = async (
  dependencies: Needed,
  giver: Giver & { readonly application: Application | undefined },
  { username, credentialId }: { readonly username: string; readonly credentialId: string },
) => {
  const user = await readPersonNamed(dependencies.database, giver.caller.orgId, username);
  const isTheirs = user?.kind === "EndUser" && user.isRegistered;
  if (user === undefined || !isTheirs) throw new Refused(problem("UserNotFound", { username }));
  if (!user.isActive) throw new Refused(problem("UserDeactivated"));
  demand(await judgeVouching(dependencies.database, giver, user.id));
  const key = demand(await recoveryKeyOf(dependencies, user, credentialId));
  return challenge(dependencies, user, key, giver.application);
};

const recoveryKeyOf = async (
  { database }: Pick<Needed, "database">,
  { orgId, id }: User,
  credentialId: string,
): Promise<Result<Credential>> => {
  const credentials = await listCredentials(database, orgId, id);
  const key = credentials.find((each) => each.id === credentialId);
  return key?.kind === "RecoveryKey" && key.isActive ? ok(key) : fail("CredentialNotFound", { credentialId });
};

const challenge = async (
  dependencies: Needed,
  { orgId, id: userId, username }: User,
  key: Credential,
  application: Application | undefined,
) => {
  const issued = await dependencies.issuer.challenge("recovery", { orgId, userId, credentialId: key.id });
  const rp = relyingPartyOf(dependencies, application);
  return {
    ...firstRegistrationView(rp, { id: userId, username }, issued),
    allowedRecoveryCredentials: [{ id: key.id, encryptedRecoveryKey: key.encryptedPrivateKey ?? "" }],
  };
};
