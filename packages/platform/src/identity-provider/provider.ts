import { fail, givenUsernameSchema, ok, type Result, type World } from "@conclave/custody";
import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  type ClientAuth,
  ClientSecretBasic,
  ClientSecretPost,
  type Configuration,
  calculatePKCECodeChallenge,
  customFetch,
  discovery,
  enableNonRepudiationChecks,
  type IDToken,
  None,
} from "openid-client";
import { boundedFetch } from "./bounded-fetch.ts";
import { keptMetadata } from "./kept-metadata.ts";
import { isRefusal, reasonOf } from "./provider-failure.ts";
import type { ProviderEntry } from "./provider-list.ts";

const TIMEOUT_SECONDS = 10;
/** how many logins may wait for one provider at a time */
const MOST_UNDER_WAY = 16;

/** The values that bind a login's answer to its beginning. */
export interface LoginBinding {
  readonly redirectUri: string;
  readonly state: string;
  readonly nonce: string;
  /** 43 characters (RFC 7636, section 4.1) */
  readonly codeVerifier: string;
}

/** An organisation's identity provider, spoken to by the authorization code flow with PKCE (OpenID Connect Core 1.0, section 3.1). */
export interface IdentityProvider extends Pick<ProviderEntry, "issuer" | "clientId" | "redirectUris"> {
  /** The address to which a person's browser is sent; or IdentityProviderUnavailable. */
  addressOf(login: LoginBinding): Promise<Result<string>>;
  /**
   * Exchanges a code for an ID token and checks it: signature, issuer, audience, times, nonce.
   * @returns the username that it vouches for; IdentityNotVerified, or IdentityProviderUnavailable
   */
  usernameOf(login: LoginBinding, code: string): Promise<Result<string>>;
}

const configure = (config: Configuration): void => {
  config.timeout = TIMEOUT_SECONDS;
  config[customFetch] = boundedFetch;
  enableNonRepudiationChecks(config);
};

/** Sends the client's secret in the header, which every provider takes unless its metadata says otherwise (Discovery 1.0, section 3). */
const authenticating = (secret: string | undefined): ClientAuth => {
  if (secret === undefined) return None();
  const [byHeader, inBody] = [ClientSecretBasic(secret), ClientSecretPost(secret)];
  return (server, client, body, headers) => {
    const taken = server.token_endpoint_auth_methods_supported;
    const isByHeader = taken === undefined || taken.includes("client_secret_basic");
    (isByHeader ? byHeader : inBody)(server, client, body, headers);
  };
};

/** Reads the provider's metadata (Discovery 1.0, section 4). @throws Error also where it calls itself by another name */
const discover = async ({ issuer, clientId, clientSecret }: ProviderEntry): Promise<Configuration> => {
  const isPlain = new URL(issuer).protocol === "http:";
  const config = await discovery(new URL(issuer), clientId, undefined, authenticating(clientSecret), {
    timeout: TIMEOUT_SECONDS,
    [customFetch]: boundedFetch,
    execute: isPlain ? [allowInsecureRequests, configure] : [configure],
  });
  const named = config.serverMetadata().issuer;
  if (named !== issuer) throw new Error(`the provider calls itself ${named}: write that as its issuer`);
  return config;
};

/** The username in verified claims. An address that the provider has not verified might be anybody's. */
const usernameIn = (
  claims: IDToken | undefined,
  { usernameClaim: claim, requiredClaims }: ProviderEntry,
): Result<string> => {
  const missing = Object.keys(requiredClaims).find((name) => claims?.[name] !== requiredClaims[name]);
  if (missing !== undefined) {
    return fail("IdentityNotVerified", { reason: `the ID token has another ${missing}, or none` });
  }
  const username = givenUsernameSchema.min(1).safeParse(claims?.[claim]);
  if (!username.success) {
    return fail("IdentityNotVerified", { reason: `the ID token has no usable claim ${claim}` });
  }
  if (claim === "email" && claims?.["email_verified"] !== true) {
    return fail("IdentityNotVerified", { reason: "the provider has not verified the email address" });
  }
  return ok(username.data);
};

/** @param onFailure called for each login that fails because of the provider's answer, with a reason for the log */
export interface ProviderSurroundings {
  readonly world: World;
  readonly onFailure: (failure: { readonly issuer: string; readonly reason: string }) => void;
}

export const openIdentityProvider = (
  entry: ProviderEntry,
  { world, onFailure }: ProviderSurroundings,
): IdentityProvider => {
  const { issuer, clientId, redirectUris } = entry;
  const metadata = keptMetadata(() => discover(entry), world);
  let underWay = 0;
  const failed = (error: unknown): Result<never> => {
    const reason = reasonOf(error);
    onFailure({ issuer, reason });
    return isRefusal(error) ? fail("IdentityNotVerified", { reason }) : fail("IdentityProviderUnavailable");
  };
  /** Asks the provider, unless so many wait for it that another one would only wait too. */
  const asking = async (ask: (config: Configuration) => Promise<Result<string>>): Promise<Result<string>> => {
    if (underWay >= MOST_UNDER_WAY) return fail("IdentityProviderUnavailable");
    underWay += 1;
    try {
      return await ask(await metadata());
    } catch (error) {
      return failed(error);
    } finally {
      underWay -= 1;
    }
  };
  return {
    issuer,
    clientId,
    redirectUris,
    addressOf: ({ redirectUri, state, nonce, codeVerifier }) =>
      asking(async (config) => {
        const url = buildAuthorizationUrl(config, {
          redirect_uri: redirectUri,
          scope: "openid email profile",
          response_type: "code",
          state,
          nonce,
          code_challenge: await calculatePKCECodeChallenge(codeVerifier),
          code_challenge_method: "S256",
        });
        return ok(url.href);
      }),
    usernameOf: ({ redirectUri, state, nonce, codeVerifier }, code) =>
      asking(async (config) => {
        const answered = new URL(redirectUri);
        for (const [name, value] of Object.entries({ code, state, iss: issuer })) {
          answered.searchParams.set(name, value);
        }
        const tokens = await authorizationCodeGrant(config, answered, {
          pkceCodeVerifier: codeVerifier,
          expectedState: state,
          expectedNonce: nonce,
          idTokenExpected: true,
        });
        return usernameIn(tokens.claims(), entry);
      }),
  };
};
