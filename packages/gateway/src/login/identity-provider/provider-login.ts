import {
  type FirstCredentialBody,
  fail,
  type OrganisationId,
  ok,
  type ProviderLoginBody,
  type ProviderLoginStartBody,
  type Result,
  type SsoLoginStartBody,
} from "@conclave/custody";
import {
  type Connection,
  type Credential,
  lockUser,
  type PendingChallenge,
  readPersonNamed,
  spendChallenge,
  type User,
} from "@conclave/platform";
import type { IdentityProvider, LoginBinding } from "@conclave/platform/identity-provider";
import type { Dependencies } from "../../dependencies.ts";
import { demand } from "../../http/refused.ts";
import { namedApplication } from "../../people/named-application.ts";
import { enterRegistered, firstChallenge } from "../registration.ts";
import { openLogin } from "../session.ts";

type Needed = Pick<
  Dependencies,
  "database" | "issuer" | "identityProviders" | "relyingParties" | "now" | "world"
>;

/** The operation that begins a login at an identity provider. */
const START_AGAIN = { startAgain: "POST /auth/login/oidc/init" };

const providerOf = ({ identityProviders }: Needed, orgId: OrganisationId): Result<IdentityProvider> => {
  const provider = identityProviders.of(orgId);
  return provider === undefined ? fail("IdentityProviderNotConfigured", { orgId }) : ok(provider);
};

/** The binding of a login, as its state says it and the token key completes it. */
const bindingOf = (
  { identityProviders }: Needed,
  { id, challenge, nonce, redirectUri = "" }: Omit<PendingChallenge, "orgId" | "dateExpires">,
  state: string,
): LoginBinding => ({
  state,
  redirectUri,
  nonce: nonce ?? challenge,
  codeVerifier: identityProviders.codeVerifierOf(id),
});

/**
 * Begins a login at the organisation's identity provider.
 * @returns the address of the provider to which the person's browser is sent
 * @throws Refused with IdentityProviderNotConfigured, RedirectUriUnknown, or IdentityProviderUnavailable
 */
export const beginProviderLogin = async (
  dependencies: Needed,
  { orgId, redirectUri, nonce }: ProviderLoginStartBody,
): Promise<string> => {
  const provider = demand(providerOf(dependencies, orgId));
  if (!provider.redirectUris.includes(redirectUri))
    return demand(fail("RedirectUriUnknown", { redirectUri }));
  const claims = { orgId, redirectUri, ...(nonce === undefined ? {} : { nonce }) };
  const { id, challenge, token } = await dependencies.issuer.challenge("identity-provider", claims);
  const binding = bindingOf(dependencies, { id, challenge, nonce, redirectUri }, token);
  return demand(await provider.addressOf(binding));
};

/**
 * The same, as older clients ask for it: they name the client too.
 * @throws Refused as `beginProviderLogin`; IdentityProviderNotConfigured for another client
 */
export const beginSsoLogin = async (
  dependencies: Needed,
  { clientId, ...body }: SsoLoginStartBody,
): Promise<string> => {
  const provider = demand(providerOf(dependencies, body.orgId));
  if (provider.clientId !== clientId) {
    return demand(fail("IdentityProviderNotConfigured", { orgId: body.orgId, clientId }));
  }
  return beginProviderLogin(dependencies, body);
};

/** A session, and for a person who has no credential yet the challenge for the first one. */
export interface ProviderLogin {
  /** text of a token that is valid for six hours */
  readonly token: string;
  readonly credentialChallenge: Awaited<ReturnType<typeof firstChallengeOf>>;
}

/**
 * Logs in an employee for whom the organisation's identity provider vouches. The session signs no action: that takes a
 * credential of the employee's own.
 * @param appId from the request, whose sender is not authenticated
 * @throws Refused with ChallengeInvalid for a state that is not valid or was used, IdentityNotVerified,
 * IdentityProviderUnavailable, LoginRefused where the organisation has no such employee, or UserDeactivated
 */
export const completeProviderLogin = async (
  dependencies: Needed,
  { code, state, iss }: ProviderLoginBody,
  appId: string | undefined,
): Promise<ProviderLogin> => {
  const pending = await dependencies.issuer.read("identity-provider", state);
  if (pending === undefined) return demand(fail("ChallengeInvalid", START_AGAIN));
  const provider = demand(providerOf(dependencies, pending.orgId));
  if (iss !== undefined && iss !== provider.issuer) {
    return demand(fail("IdentityNotVerified", { reason: "another provider sent this answer" }));
  }
  // the state is spent before the code leaves, so that a state serves for one question to the provider
  if (!(await spendChallenge(dependencies.database, pending.id, pending.dateExpires))) {
    return demand(fail("ChallengeInvalid", START_AGAIN));
  }
  const username = demand(await provider.usernameOf(bindingOf(dependencies, pending, state), code));
  const { user, token } = await dependencies.database.transaction(async (connection) => {
    const employee = demand(await employeeNamed(connection, pending.orgId, username));
    const { text } = await openLogin(dependencies, connection, employee, undefined);
    return { user: employee, token: text };
  });
  return { token, credentialChallenge: await firstChallengeOf(dependencies, user, appId) };
};

const employeeNamed = async (
  connection: Connection,
  orgId: OrganisationId,
  username: string,
): Promise<Result<User>> => {
  const found = await readPersonNamed(connection, orgId, username);
  if (found?.kind !== "CustomerEmployee") return fail("LoginRefused");
  const user = await lockUser(connection, orgId, found.id);
  if (user === undefined) return fail("LoginRefused");
  return user.isActive ? ok(user) : fail("UserDeactivated");
};

/** The challenge for the first credential of an employee who has registered none; undefined for all others. */
const firstChallengeOf = async (dependencies: Needed, user: User, appId: string | undefined) => {
  if (user.isRegistered) return undefined;
  const application = await namedApplication(dependencies.database, user.orgId, appId);
  const view = await firstChallenge(dependencies, user, application);
  return { ...view, challengeIdentifier: view.temporaryAuthenticationToken };
};

/**
 * Registers the first credential of an employee who was invited and logged in at the identity provider. An employee who
 * has registered before adds credentials with one, or recovers.
 * @throws Refused with ChallengeInvalid, TokenInvalid for one who has registered, or errors of `registerCredential`
 */
export const registerFirstCredential = async (
  dependencies: Needed,
  { challengeIdentifier, ...firstFactorCredential }: FirstCredentialBody,
): Promise<Credential> => {
  const pending = await dependencies.issuer.read("registration", challengeIdentifier);
  if (pending === undefined) return demand(fail("ChallengeInvalid", START_AGAIN));
  return dependencies.database.transaction(async (connection) => {
    const registered = await enterRegistered(dependencies, connection, pending, { firstFactorCredential });
    return registered.credential;
  });
};
