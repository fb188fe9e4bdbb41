import { readFileSync, writeFileSync } from "node:fs";
import { startTestProvider, type TestProvider } from "@conclave/gateway/testing/identity-provider";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { ClientCredential } from "./client-credential.ts";
import type { CompatWorld } from "./compat-world.ts";
import type { PythonAccess, PythonClient } from "./python/python-client.ts";

const pageSchema = z.looseObject({ redirectUrl: z.string() });
const loginSchema = z.looseObject({
  token: z.string(),
  credentialChallenge: z.looseObject({ challenge: z.string(), challengeIdentifier: z.string() }),
});

/** Tests logins at an identity provider, with the newest libraries. */
export const providerLogins = (world: () => CompatWorld, python: () => PythonClient): void => {
  describe("an organisation's identity provider", () => {
    let provider: TestProvider;
    beforeAll(async () => {
      provider = await startTestProvider();
      const { cluster } = world();
      const { issuer, clientId, clientSecret, redirectUri } = provider;
      const clientSecretFile = `${cluster.layout.identityProviders}.secret`;
      writeFileSync(clientSecretFile, clientSecret);
      const { orgId } = cluster.description.developer;
      const entry = { orgId, issuer, clientId, clientSecretFile, redirectUris: [redirectUri] };
      writeFileSync(cluster.layout.identityProviders, JSON.stringify([entry]));
      await cluster.stopProcess("gateway");
      await cluster.restart("gateway");
    });
    afterAll(() => provider?.stop());

    const orgId = (): string => world().cluster.description.developer.orgId;
    const invite = async (email: string): Promise<void> => {
      await world().administrator.auth.createUser({ body: { email, kind: "CustomerEmployee" } });
    };
    const signIn = async (page: string, email: string) => {
      const sent = await provider.signIn(page, { sub: email, email, email_verified: true });
      return { code: sent.get("code") ?? "", state: sent.get("state") ?? "" };
    };

    it("logs an invited employee in by the Python client, who registers a first credential", async () => {
      const { api, developer } = world().cluster.description;
      const access: PythonAccess = {
        baseUrl: api.url,
        token: "none",
        // the library asks for a token and a key of every caller, and these operations use neither
        credential: {
          id: developer.credential.id,
          privateKey: readFileSync(developer.credential.keyFile, "utf8"),
        },
      };
      const value = async (operation: string, body: unknown): Promise<unknown> => {
        const answer = await python().call(access, operation, { body });
        if ("message" in answer) throw new Error(`${operation}: ${answer.status} ${answer.message}`);
        return answer.value;
      };
      const email = "by-python@acme.example";
      await invite(email);
      const { redirectUri } = provider;
      const begun = pageSchema.parse(await value("auth.oidc_login_init", { orgId: orgId(), redirectUri }));
      const { credentialChallenge } = loginSchema.parse(
        await value("auth.oidc_login", await signIn(begun.redirectUrl, email)),
      );
      const { challenge, challengeIdentifier } = credentialChallenge;
      const credentialInfo = new ClientCredential().attest(challenge);
      const first = { challengeIdentifier, credentialKind: "Key", credentialName: "first", credentialInfo };
      expect(await value("auth.oidc_login_credentials", first)).toMatchObject({ name: "first", kind: "Key" });
    });

    it("logs an employee in by client 0.8.21", async () => {
      const { newer } = world();
      const email = "by-npm@acme.example";
      await invite(email);
      const { clientId, redirectUri } = provider;
      const begun = await newer.auth.ssoLoginInit({ body: { orgId: orgId(), clientId, redirectUri } });
      const session = await newer.auth.ssoLogin({ body: await signIn(begun.ssoRedirectUrl, email) });
      expect(session.token.split(".")).toHaveLength(3);
    });
  });
};
