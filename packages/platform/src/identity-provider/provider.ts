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
import { isRefusal, reasonOf } from "./provider-failure.ts";
import type { ProviderEntry } from "./provider-list.ts";

const TIMEOUT_SECONDS = 10;
/** how long a provider's metadata is used before it is read again */
const METADATA_MS = 3_600_000;

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

/** Keeps the provider's metadata for an hour; a failure is not kept. */
const metadataOf = ({ issuer, clientId, clientSecret }: ProviderEntry, world: World) => {
  const protocol = new URL(issuer).protocol;
  let kept: { readonly config: Promise<Configuration>; readonly untilMs: number } | undefined;
  return (): Promise<Configuration> => {
    if (kept !== undefined && world.nowMs() < kept.untilMs) return kept.config;
    const config = discovery(new URL(issuer), clientId, undefined, authenticating(clientSecret), {
      timeout: TIMEOUT_SECONDS,
      [customFetch]: boundedFetch,
      execute: protocol === "http:" ? [allowInsecureRequests, configure] : [configure],
    });
    kept = { config, untilMs: world.nowMs() + METADATA_MS };
    config.catch(() => {
      kept = undefined;
    });
    return config;
  };
};

/** The username in verified claims. An address that the provider has not verified might be anybody's. */
const usernameIn = (claims: IDToken | undefined, claim: string): Result<string> => {
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
  const { issuer, clientId, redirectUris, usernameClaim } = entry;
  const metadata = metadataOf(entry, world);
  const failed = (error: unknown): Result<never> => {
    const reason = reasonOf(error);
    onFailure({ issuer, reason });
    return isRefusal(error) ? fail("IdentityNotVerified", { reason }) : fail("IdentityProviderUnavailable");
  };
  return {
    issuer,
    clientId,
    redirectUris,
    addressOf: async ({ redirectUri, state, nonce, codeVerifier }) => {
      try {
        const url = buildAuthorizationUrl(await metadata(), {
          redirect_uri: redirectUri,
          scope: "openid email profile",
          response_type: "code",
          state,
          nonce,
          code_challenge: await calculatePKCECodeChallenge(codeVerifier),
          code_challenge_method: "S256",
        });
        return ok(url.href);
      } catch (error) {
        return failed(error);
      }
    },
    usernameOf: async ({ redirectUri, state, nonce, codeVerifier }, code) => {
      const answered = new URL(redirectUri);
      for (const [name, value] of Object.entries({ code, state, iss: issuer })) {
        answered.searchParams.set(name, value);
      }
      try {
        const tokens = await authorizationCodeGrant(await metadata(), answered, {
          pkceCodeVerifier: codeVerifier,
          expectedState: state,
          expectedNonce: nonce,
          idTokenExpected: true,
        });
        return usernameIn(tokens.claims(), usernameClaim);
      } catch (error) {
        return failed(error);
      }
    },
  };
};
