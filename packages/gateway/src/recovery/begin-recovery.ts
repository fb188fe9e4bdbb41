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
 * Makes the code with which somebody recovers. There is no mail here: it is in the answer, once, and the asking
 * caller passes it on. By itself it opens nothing: the recovery key must sign.
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

/** The code of somebody who shows it. @returns OneTimeCodeInvalid, which does not say whether there is such a user */
const shownCode = async (
  { database, now, world }: Needed,
  asked: RecoveryAsked,
): Promise<Result<OneTimeCode>> => {
  const code = await readRecoveryCode(database, asked.orgId, asked.username);
  // an unknown code is compared too: the time shall not show whether somebody has one
  const expected = code?.hash ?? world.entropy(HASH_BYTES);
  const isTheirs = timingSafeEqual(expected, tokenHashOf(asked.verificationCode));
  const isGood = code !== undefined && isTheirs && Date.parse(code.dateExpires) > now().getTime();
  return isGood ? ok(code) : fail("OneTimeCodeInvalid");
};

/** The recovering user, with the code and the recovery key. */
export interface RecoveryAsked {
  readonly orgId: OrganisationId;
  readonly username: string;
  readonly verificationCode: string;
  readonly credentialId: string;
}

/**
 * Challenges somebody to recover by a code, which is used up.
 * @param appId as the request names it, from any sender
 * @throws Refused with OneTimeCodeInvalid, or CredentialNotFound, which leaves the code as it is
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
 * Challenges an end user to recover, on the word of a caller who vouches for them.
 * @throws Refused with UserNotFound, UserDeactivated, CredentialNotFound, or PermissionMissing when this one
 * may do what the giver may not
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
