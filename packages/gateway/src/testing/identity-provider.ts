import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { exportJWK, generateKeyPair } from "jose";
import { Provider } from "oidc-provider";

/** An account of the provider. */
export interface ProviderAccount {
  readonly sub: string;
  readonly email?: string;
  readonly email_verified?: boolean;
  readonly [claim: string]: unknown;
}

/** A running provider that signs in the account which a test chose, without a page. */
export interface TestProvider {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly redirectUri: string;
  /** Goes to the provider's page as a browser would. @returns the parameters with which the provider sends it back */
  signIn(page: string, account: ProviderAccount): Promise<URLSearchParams>;
  /** until it is called with false, every request is answered 503 */
  setAway(isAway: boolean): void;
  stop(): Promise<void>;
}

const CLIENT = { clientId: "conclave", clientSecret: "a secret of the test's" };
const REDIRECT_URI = "https://wallets.example.com/signed-in";
const MOST_REDIRECTS = 10;
const ARTIFACTS = ["AccessToken", "AuthorizationCode", "Grant", "IdToken", "Interaction", "Session"];

const listening = async (server: Server): Promise<string> => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address: AddressInfo | string | null = server.address();
  if (address === null || typeof address === "string") throw new Error("the server has no port");
  return `http://127.0.0.1:${address.port}`;
};

const makeProvider = async (issuer: string, accounts: ReadonlyMap<string, ProviderAccount>) => {
  const { privateKey } = await generateKeyPair("RS256", { extractable: true });
  return new Provider(issuer, {
    clients: [
      { client_id: CLIENT.clientId, client_secret: CLIENT.clientSecret, redirect_uris: [REDIRECT_URI] },
    ],
    jwks: { keys: [{ ...(await exportJWK(privateKey)), kty: "RSA", use: "sig", alg: "RS256", kid: "1" }] },
    cookies: { keys: ["a key of the test's"] },
    claims: { openid: ["sub"], email: ["email", "email_verified"], profile: ["preferred_username"] },
    // the claims of the scopes in the ID token, as most providers answer
    conformIdTokenClaims: false,
    ttl: Object.fromEntries(ARTIFACTS.map((artifact) => [artifact, 600])),
    pkce: { required: () => true },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_, { uid }) => `/interaction/${uid}` },
    findAccount: (_, sub) => ({
      accountId: sub,
      claims: async () => ({ ...accounts.get(sub), sub }),
    }),
    loadExistingGrant: async ({ oidc }) => {
      const grant = new oidc.provider.Grant({
        accountId: oidc.session?.accountId ?? "",
        clientId: oidc.client?.clientId ?? "",
      });
      grant.addOIDCScope("openid email profile");
      await grant.save();
      return grant;
    },
  });
};

/** Follows redirects with cookies until one leads to the client's page. */
const followed = async (page: string): Promise<URLSearchParams> => {
  const cookies = new Map<string, string>();
  let at = new URL(page);
  for (let hops = 0; hops < MOST_REDIRECTS; hops += 1) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const answer = await fetch(at, { redirect: "manual", headers: { cookie } });
    for (const set of answer.headers.getSetCookie()) {
      const [pair = ""] = set.split(";");
      cookies.set(pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1));
    }
    const to = answer.headers.get("location");
    if (to === null) throw new Error(`the provider answered ${answer.status}: ${await answer.text()}`);
    at = new URL(to, at);
    if (at.href.startsWith(REDIRECT_URI)) return at.searchParams;
  }
  throw new Error("the provider redirects without end");
};

/** Starts an OpenID provider (a certified implementation) on this machine. */
export const startTestProvider = async (): Promise<TestProvider> => {
  const accounts = new Map<string, ProviderAccount>();
  let signingIn = "";
  let isAway = false;
  const server = createServer();
  const issuer = await listening(server);
  const provider = await makeProvider(issuer, accounts);
  const serve = provider.callback();
  server.on("request", (request, response) => {
    if (isAway) response.writeHead(503).end("away");
    else if (request.url?.startsWith("/interaction/") === true) {
      void provider.interactionFinished(request, response, { login: { accountId: signingIn } });
    } else void serve(request, response);
  });
  return {
    issuer,
    ...CLIENT,
    redirectUri: REDIRECT_URI,
    signIn: (page, account) => {
      accounts.set(account.sub, account);
      signingIn = account.sub;
      return followed(page);
    },
    setAway: (away) => {
      isAway = away;
    },
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
};
