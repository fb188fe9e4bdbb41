import { DfnsApiClient, DfnsAuthenticator } from "dfns-sdk-0-8-21";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { ClientCredential } from "../client-credential.ts";
import { type CompatWorld, signerOf } from "../compat-world.ts";

const codeSchema = z.object({ recoveryCode: z.string() });
const MINUTE_MS = 60_000;

/** client.auth of 0.8.21: lost credentials, second devices, and end users registered with wallets. */
export const recoveryOperations = (world: () => CompatWorld): void => {
  const baseUrl = () => world().cluster.description.api.url;
  const orgId = () => world().cluster.description.developer.orgId;
  /** A client without a token, or with a token for one purpose. */
  const visitor = (authToken?: string) =>
    world().driven.watch(
      new DfnsApiClient({ baseUrl: baseUrl(), ...(authToken === undefined ? {} : { authToken }) }),
    );
  const login = (username: string, key: ClientCredential) =>
    new DfnsAuthenticator({ baseUrl: baseUrl(), signer: key.signer() }).login({ orgId: orgId(), username });
  const firstFactor = (key: ClientCredential, challenge: string) => ({
    credentialKind: "Key" as const,
    credentialInfo: key.attest(challenge),
  });
  const recoveryKey = (key: ClientCredential, challenge: string) => ({
    credentialKind: "RecoveryKey" as const,
    credentialInfo: key.attest(challenge),
    encryptedPrivateKey: "sealed",
  });

  describe("client.auth, for people whose device is another one", () => {
    it("registers an end user and wallets in one call, who recovers on the organisation's word", async () => {
      const { newer } = world();
      const username = "mia@customer.example";
      const [key, recovery] = [new ClientCredential(), new ClientCredential()];
      const invited = await newer.auth.createDelegatedRegistrationChallenge({
        body: { email: username, kind: "EndUser" },
      });
      const { authentication, user, wallets } = await visitor(
        invited.temporaryAuthenticationToken,
      ).auth.registerEndUser({
        body: {
          firstFactorCredential: firstFactor(key, invited.challenge),
          recoveryCredential: recoveryKey(recovery, invited.challenge),
          wallets: [{ network: "EthereumSepolia", name: "savings" }, { network: "KeyEdDSA" }],
        },
      });
      expect(wallets).toMatchObject([
        { network: "EthereumSepolia", name: "savings", status: "Active", custodial: false },
        { network: "KeyEdDSA", signingKey: { curve: "ed25519", delegatedTo: user.id } },
      ]);
      const own = await visitor(authentication.token).wallets.listWallets();
      expect(own.items.map(({ id }) => id).sort()).toEqual(wallets.map(({ id }) => id).sort());

      const { challenge, temporaryAuthenticationToken, allowedRecoveryCredentials } =
        await newer.auth.createDelegatedRecoveryChallenge({
          body: { username, credentialId: recovery.credId },
        });
      expect(allowedRecoveryCredentials).toEqual([{ id: recovery.credId, encryptedRecoveryKey: "sealed" }]);
      const next = new ClientCredential();
      const newCredentials = { firstFactorCredential: firstFactor(next, challenge) };
      const recovered = await visitor(temporaryAuthenticationToken).auth.recover({
        body: { recovery: recovery.recovery(newCredentials), newCredentials },
      });
      expect(recovered.user).toMatchObject({ id: user.id, username });
      const { token } = await login(username, next);
      expect((await visitor(token).wallets.listWallets()).items).toHaveLength(2);
      await expect(login(username, key)).rejects.toThrow(/does not match allowed credentials/);
    });

    it("recovers an employee by a code that an administrator hands on", async () => {
      const { administrator, cluster } = world();
      const username = "noa@acme.example";
      const [key, recovery, next] = [new ClientCredential(), new ClientCredential(), new ClientCredential()];
      const invited = await administrator.auth.createUser({
        body: { email: username, kind: "CustomerEmployee" },
      });
      const { registrationCode } = z.object({ registrationCode: z.string() }).parse(invited);
      const { auth } = visitor();
      const begun = await auth.createRegistrationChallenge({
        body: { orgId: orgId(), username, registrationCode },
      });
      await visitor(begun.temporaryAuthenticationToken).auth.register({
        body: {
          firstFactorCredential: firstFactor(key, begun.challenge),
          recoveryCredential: recoveryKey(recovery, begun.challenge),
        },
      });

      const answer = await auth.sendRecoveryCode({ body: { orgId: orgId(), username } });
      expect(answer.message).toContain("no mail");
      const made = await cluster.api.send("POST", `/auth/users/${invited.userId}/recovery-code`, {});
      const { recoveryCode: verificationCode } = codeSchema.parse(made.body);
      const asked = { orgId: orgId(), username, verificationCode, credentialId: recovery.credId };
      const { challenge, temporaryAuthenticationToken } = await auth.createRecoveryChallenge({ body: asked });
      const newCredentials = { firstFactorCredential: firstFactor(next, challenge) };
      await visitor(temporaryAuthenticationToken).auth.recover({
        body: { recovery: recovery.recovery(newCredentials), newCredentials },
      });
      expect((await login(username, next)).token).toEqual(expect.any(String));
      await expect(auth.createRecoveryChallenge({ body: asked })).rejects.toMatchObject({ httpStatus: 400 });
    });

    it("registers a credential of a second device by a code", async () => {
      const { driven, cluster } = world();
      const { developer } = cluster.description;
      const options = { baseUrl: baseUrl(), authToken: developer.token, signer: signerOf(developer) };
      const administrator = driven.watch(new DfnsApiClient(options));
      const { code } = await administrator.auth.createCredentialCode({
        body: { expiration: new Date(Date.now() + MINUTE_MS).toISOString() },
      });
      const { auth } = visitor();
      const begun = await auth.createCredentialChallengeWithCode({ body: { credentialKind: "Key", code } });
      if (begun.kind !== "Key") expect.fail(`the challenge is of ${begun.kind}`);
      const { challenge, challengeIdentifier } = begun;
      const key = new ClientCredential();
      const made = await auth.createCredentialWithCode({
        body: { ...firstFactor(key, challenge), credentialName: "tablet", challengeIdentifier },
      });
      expect(made).toMatchObject({ kind: "Key", name: "tablet", isActive: true });
      expect((await login("dev", key)).token).toEqual(expect.any(String));
    });
  });
};
