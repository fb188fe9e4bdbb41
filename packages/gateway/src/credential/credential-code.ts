import { type CreateCredentialBody, fail, ok, type RegistrableKind, type Result } from "@conclave/custody";
import {
  type Application,
  type Caller,
  type Credential,
  insertCodeChallenge,
  listCredentials,
  lockUser,
  readCredentialCode,
  readUser,
  spendCodeChallenge,
  spendOneTimeCode,
  tokenHashOf,
} from "@conclave/platform";
import type { Dependencies } from "../dependencies.ts";
import { demand } from "../http/refused.ts";
import { namedApplication } from "../people/named-application.ts";
import { makeOneTimeCode } from "./one-time-code.ts";
import { registerCredential } from "./register.ts";
import { registrationView } from "./registration-view.ts";
import { relyingPartyOf } from "./relying-party-view.ts";

type Needed = Pick<Dependencies, "database" | "issuer" | "relyingParties" | "now" | "world">;

/** long enough to reach for the other device, and short enough that a photograph of the code is of little use */
const LONGEST_LIFE_MS = 3_600_000;
/** smaller timestamps are Unix seconds, others milliseconds; in milliseconds, this is a date in 1973 */
const LEAST_MILLISECONDS = 100_000_000_000;
const MILLISECONDS = 1_000;

/**
 * A code's expiry: the client's ISO 8601 date or Unix timestamp, limited to an hour.
 * @returns InvalidBody for a date in the past
 */
const readExpiration = (expiration: string | number, now: Date): Result<string> => {
  const isSeconds = typeof expiration === "number" && expiration < LEAST_MILLISECONDS;
  const at = new Date(isSeconds ? expiration * MILLISECONDS : expiration).getTime();
  return at > now.getTime()
    ? ok(new Date(Math.min(at, now.getTime() + LONGEST_LIFE_MS)).toISOString())
    : fail("InvalidBody", { issues: [{ path: "expiration", message: "is past" }] });
};

/** Makes a code with which the caller registers a credential on another device. @returns InvalidBody for the expiration */
export const createCredentialCode = async (
  dependencies: Pick<Needed, "database" | "now" | "world">,
  { userId }: Caller,
  expiration: string | number,
): Promise<Result<{ readonly code: string; readonly expiration: string }>> => {
  const expires = readExpiration(expiration, dependencies.now());
  if (!expires.ok) return expires;
  const asked = { purpose: "credential", userId, dateExpires: expires.value } as const;
  const code = await makeOneTimeCode(dependencies, dependencies.database, asked);
  return ok({ code, expiration: expires.value });
};

/**
 * Answers a code with a challenge to register a credential of this kind; the code is used up.
 * @param appId from the request, whose sender is not authenticated
 * @throws Refused with OneTimeCodeInvalid
 */
export const beginCredentialByCode = async (
  dependencies: Needed,
  { code, credentialKind: kind }: { readonly code: string; readonly credentialKind: RegistrableKind },
  appId: string | undefined,
) => {
  const { database, issuer, now } = dependencies;
  // found by its SHA-256, so that the time of the search reveals nothing about stored codes
  const found = await readCredentialCode(database, tokenHashOf(code));
  const isGood = found !== undefined && Date.parse(found.dateExpires) > now().getTime();
  if (!isGood) return demand(fail("OneTimeCodeInvalid"));
  const { orgId, userId } = found;
  const user = (await readUser(database, orgId, userId)) ?? demand(fail("OneTimeCodeInvalid"));
  const challenge = await issuer.challenge("credential-by-code", { orgId, userId, kind });
  await database.transaction(async (connection) => {
    // locks in the same order as operations that end codes: these wait for this one, and then find the challenge
    if (!(await spendOneTimeCode(connection, found))) return demand(fail("OneTimeCodeInvalid"));
    return insertCodeChallenge(connection, userId, challenge);
  });
  const known = await listCredentials(database, orgId, userId);
  const application: Application | undefined = await namedApplication(database, orgId, appId);
  const view = registrationView(relyingPartyOf(dependencies, application), user, challenge, known);
  return { ...view, kind, challengeIdentifier: challenge.token };
};

/** The operation that gives challenges for credentials by code. */
const START_AGAIN = { startAgain: "POST /auth/credentials/code/init" };

/**
 * Registers the credential of a device that showed a code.
 * @throws Refused with ChallengeInvalid unless the challenge was for this kind, is fresh and not revoked by its user,
 * and the user may still act; or with a refusal of `registerCredential`
 */
export const completeCredentialByCode = async (
  dependencies: Needed,
  body: CreateCredentialBody,
): Promise<Credential> => {
  const pending = await dependencies.issuer.read("credential-by-code", body.challengeIdentifier);
  const invalid = fail("ChallengeInvalid", START_AGAIN);
  if (pending?.userId === undefined || pending.kind !== body.credentialKind) return demand(invalid);
  const { id, orgId, userId, challenge } = pending;
  return dependencies.database.transaction(async (connection) => {
    const user = await lockUser(connection, orgId, userId);
    if (user?.isActive !== true) return demand(invalid);
    const credential = demand(await registerCredential(dependencies, connection, user, body, challenge));
    return (await spendCodeChallenge(connection, id)) ? credential : demand(invalid);
  });
};
