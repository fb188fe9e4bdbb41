import { DfnsApiClient, DfnsAuthenticator } from "dfns-sdk-0-8-21";
import { describe, expect, it } from "vitest";
import { ClientCredential } from "../client-credential.ts";
import { type CompatWorld, signerOf } from "../compat-world.ts";

/**
 * Operations that the npm library's tests leave out: changes of people, tokens and credentials, and reads of networks and
 * wallets.
 */
export const furtherOperations = (world: () => CompatWorld): void => {
  const baseUrl = () => world().cluster.description.api.url;
  /** The administrator's client of 0.8.21, which has all these operations. */
  const administrator = () => {
    const { driven, cluster } = world();
    const { developer } = cluster.description;
    return driven.watch(
      new DfnsApiClient({ baseUrl: baseUrl(), authToken: developer.token, signer: signerOf(developer) }),
    );
  };

  describe("client.auth, changing what there is", () => {
    it("deactivates, activates and archives a user, once invited again", async () => {
      const { auth } = administrator();
      const email = "zoe@acme.example";
      const { userId } = await auth.createUser({ body: { email, kind: "CustomerEmployee" } });
      const { orgId } = world().cluster.description.developer;
      await auth.resendRegistrationCode({ body: { username: email, orgId } });
      const withoutProvider = auth.updateUser({ userId, body: { isSSORequired: true } });
      await expect(withoutProvider).rejects.toMatchObject({ httpStatus: 400 });
      expect((await auth.deactivateUser({ userId })).isActive).toBe(false);
      expect((await auth.activateUser({ userId })).isActive).toBe(true);
      await auth.archiveUser({ userId });
      expect((await auth.listUsers()).items.map((each) => each.userId)).not.toContain(userId);
    });

    it("does the same with a service account and with a token", async () => {
      const { auth } = administrator();
      const { publicKey } = new ClientCredential();
      const made = await auth.createServiceAccount({ body: { name: "sweeper", publicKey, daysValid: 1 } });
      const serviceAccountId = made.userInfo.userId;
      await auth.updateServiceAccount({ serviceAccountId, body: { name: "broom" } });
      const { userInfo } = await auth.deactivateServiceAccount({ serviceAccountId, body: {} });
      expect(userInfo).toMatchObject({ name: "broom", isActive: false });
      expect((await auth.activateServiceAccount({ serviceAccountId })).userInfo.isActive).toBe(true);
      await auth.archiveServiceAccount({ serviceAccountId });

      const pat = { name: "tablet", publicKey: new ClientCredential().publicKey, daysValid: 1 };
      const { tokenId } = await auth.createPersonalAccessToken({ body: pat });
      await auth.updatePersonalAccessToken({ tokenId, body: { name: "slate" } });
      const stopped = await auth.deactivatePersonalAccessToken({ tokenId });
      expect(stopped).toMatchObject({ name: "slate", isActive: false });
      expect((await auth.activatePersonalAccessToken({ tokenId })).isActive).toBe(true);
      await auth.archivePersonalAccessToken({ tokenId });
    });

    it("deactivates a credential, with which nobody logs in then, and activates it", async () => {
      const { auth } = administrator();
      const { orgId } = world().cluster.description.developer;
      const key = new ClientCredential();
      const begun = await auth.createCredentialChallenge({ body: { kind: "Key" } });
      if (begun.kind !== "Key") expect.fail(`the challenge is of ${begun.kind}`);
      const { challengeIdentifier } = begun;
      const { credentialUuid } = await auth.createCredential({
        body: {
          challengeIdentifier,
          credentialName: "drawer",
          credentialKind: "Key",
          credentialInfo: key.attest(begun.challenge),
        },
      });
      const login = () =>
        new DfnsAuthenticator({ baseUrl: baseUrl(), signer: key.signer() }).login({ orgId, username: "dev" });
      await auth.deactivateCredential({ body: { credentialUuid } });
      await expect(login()).rejects.toThrow();
      await auth.activateCredential({ body: { credentialUuid } });
      expect((await login()).token).toMatch(/\./);
    });

    it("logs an end user in on a service account's word, gives a key to that user, and archives another", async () => {
      const { newer, driven, cluster } = world();
      const username = "kim@customer.example";
      const invited = await newer.auth.createDelegatedRegistrationChallenge({
        body: { email: username, kind: "EndUser" },
      });
      const authToken = invited.temporaryAuthenticationToken;
      const credentialInfo = new ClientCredential().attest(invited.challenge);
      const { user } = await driven
        .watch(new DfnsApiClient({ baseUrl: baseUrl(), authToken }))
        .auth.register({ body: { firstFactorCredential: { credentialKind: "Key", credentialInfo } } });
      const { token } = await newer.auth.delegatedLogin({ body: { username } });
      const own = driven.watch(new DfnsApiClient({ baseUrl: baseUrl(), authToken: token }));
      expect((await own.wallets.listWallets()).items).toEqual([]);
      const { orgId } = cluster.description.developer;
      await own.auth.sendLoginCode({ body: { username: "nobody@acme.example", orgId } });

      const key = await newer.keys.createKey({
        body: { scheme: "EdDSA", curve: "ed25519", delayDelegation: true },
      });
      const keyId = key.id;
      await newer.keys.delegateKey({ keyId, body: { delegateTo: user.id } });
      expect((await own.keys.getKey({ keyId })).custodial).toBe(false);
      const other = await newer.keys.createKey({ body: { scheme: "EdDSA", curve: "ed25519" } });
      expect((await newer.keys.deleteKey({ keyId: other.id })).status).toBe("Archived");
    });
  });

  describe("client.networks and client.wallets, reading", () => {
    it("tells fees, and what all wallets did", async () => {
      const { newer } = world();
      const fees = await newer.networks.getFees({ query: { network: "EthereumSepolia" } });
      expect(fees).toMatchObject({ kind: "Eip1559", network: "EthereumSepolia" });
      const query = { startTime: "2020-01-01T00:00:00.000Z", endTime: "2099-01-01T00:00:00.000Z", limit: 5 };
      expect(await newer.wallets.listOrgWalletHistory({ query })).toMatchObject({ items: expect.any(Array) });
    });
  });
};
