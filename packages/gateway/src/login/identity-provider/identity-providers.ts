import { createHmac, type KeyObject } from "node:crypto";
import type { OrganisationId, World } from "@conclave/custody";
import type { Logger } from "@conclave/platform";
import {
  type IdentityProvider,
  openIdentityProvider,
  type ProviderEntry,
} from "@conclave/platform/identity-provider";
import { identityProviderFailed } from "../../log-events.ts";
import { derivedSecret } from "../derived-secret.ts";

/** The identity providers of organisations, and the secret of the logins that pass through them. */
export interface IdentityProviders {
  of(orgId: OrganisationId): IdentityProvider | undefined;
  /**
   * The PKCE code verifier of a login (RFC 7636, section 4.1), which any gateway of the cluster derives anew: requests
   * to begin a login need no storage.
   * @param challengeId of the challenge in the login's state, which the browser can read
   */
  codeVerifierOf(challengeId: string): string;
}

/** @param key the gateway's token key, from which another secret is derived */
export const makeIdentityProviders = (
  entries: readonly ProviderEntry[],
  key: KeyObject,
  { world, logger }: { readonly world: World; readonly logger: Logger },
): IdentityProviders => {
  const secret = derivedSecret(key, "conclave/code-verifiers");
  const surroundings = {
    world,
    onFailure: (failure: { readonly issuer: string; readonly reason: string }): void =>
      void identityProviderFailed(logger, failure),
  };
  const providers = new Map(entries.map((entry) => [entry.orgId, openIdentityProvider(entry, surroundings)]));
  return {
    of: (orgId) => providers.get(orgId),
    codeVerifierOf: (challengeId) => createHmac("sha256", secret).update(challengeId).digest("base64url"),
  };
};

/** No provider, for a gateway in a simulated world. */
export const NO_IDENTITY_PROVIDERS: IdentityProviders = {
  of: () => undefined,
  codeVerifierOf: () => {
    throw new Error("no login passes through an identity provider here");
  },
};
