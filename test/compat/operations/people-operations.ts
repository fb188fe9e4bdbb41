import { DfnsApiClient, DfnsAuthenticator } from "@dfns/sdk";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { ClientCredential } from "../client-credential.ts";
import { type CompatWorld, signerOf } from "../compat-world.ts";

const logsSchema = z.object({ items: z.array(z.object({ id: z.string(), action: z.string() })).min(1) });

/** Members whose types differ between the library's two halves; they are deprecated and unused. */
const NO_PARTY = { id: "", name: "" };

/** client.auth: people, machines, tokens, credentials and applications. */
export const peopleOperations = (world: () => CompatWorld): void => {
  const baseUrl = () => world().cluster.description.api.url;

  describe("client.auth", () => {
    it("invites a user, and lists and reads people", async () => {
      const { auth } = world().administrator;
      const user = await auth.createUser({ body: { email: "eve@acme.example", kind: "CustomerEmployee" } });
      expect(user).toMatchObject({
        userId: expect.stringMatching(/^us-/),
        username: "eve@acme.example",
        isServiceAccount: false,
        isRegistered: false,
        permissionAssignments: [],
      });
      const { userId } = user;
      expect(await auth.getUser({ userId })).toMatchObject({ userId, username: "eve@acme.example" });
      expect((await auth.listUsers()).items.map((each) => each.userId)).toContain(userId);
    });

    it("makes a service account whose token and key work in a client of its own", async () => {
      const { administrator, cluster } = world();
      const key = new ClientCredential();
      const reader = await administrator.permissions.createPermission({
        body: { name: "wallet readers", operations: ["Wallets:Read"] },
      });
      const account = await administrator.auth.createServiceAccount({
        body: { name: "bookkeeper", publicKey: key.publicKey, permissionId: reader.id, daysValid: 30 },
      });
      const [token] = account.accessTokens;
      const { accessToken: authToken, credId } = token ?? expect.fail("no token was made");
      if (authToken === undefined) expect.fail("the token is not shown");
      const { orgId } = cluster.description.developer;
      const signer = key.signer(credId);
      const client = new DfnsApiClient({ baseUrl: baseUrl(), orgId, authToken, signer });
      expect((await client.wallets.listWallets()).items.length).toBeGreaterThan(0);
      const create = client.wallets.createWallet({ body: { network: "EthereumSepolia" } });
      await expect(create).rejects.toMatchObject({ httpStatus: 403 });

      const { userId: serviceAccountId } = account.userInfo;
      const read = await administrator.auth.getServiceAccount({ serviceAccountId });
      expect(read).toMatchObject({ userInfo: { name: "bookkeeper", isServiceAccount: true } });
      expect(read.accessTokens[0]?.accessToken).toBeUndefined();
      const listed = await administrator.auth.listServiceAccounts();
      expect(listed.items.map(({ userInfo }) => userInfo.userId)).toContain(serviceAccountId);
    });

    it("makes a personal access token that reads as its owner", async () => {
      const { auth } = world().administrator;
      const { publicKey } = new ClientCredential();
      const made = await auth.createPersonalAccessToken({
        body: { name: "laptop", publicKey, daysValid: 1 },
      });
      const authToken = made.accessToken ?? expect.fail("no token was made");
      const client = new DfnsApiClient({ baseUrl: baseUrl(), authToken });
      expect((await client.wallets.listWallets()).items.length).toBeGreaterThan(0);
      const { tokenId } = made;
      expect(await auth.getPersonalAccessToken({ tokenId })).toMatchObject({ tokenId, kind: "Pat" });
      expect((await auth.listPersonalAccessTokens()).items.map((each) => each.tokenId)).toContain(tokenId);
    });

    it("registers a second credential, with which its owner logs in and out", async () => {
      const { administrator, cluster, driven } = world();
      const { auth } = administrator;
      const { orgId } = cluster.description.developer;
      const key = new ClientCredential();
      const challenge = await auth.createCredentialChallenge({ body: { kind: "Key" } });
      if (challenge.kind !== "Key") expect.fail(`the challenge is of ${challenge.kind}`);
      const { challengeIdentifier } = challenge;
      await auth.createCredential({
        body: {
          challengeIdentifier,
          credentialName: "phone",
          credentialKind: "Key",
          credentialInfo: key.attest(challenge.challenge),
        },
      });
      expect((await auth.listCredentials()).items.map(({ name }) => name)).toContain("phone");

      const signer = key.signer();
      const authenticator = new DfnsAuthenticator({ baseUrl: baseUrl(), signer });
      const { token } = await authenticator.login({ orgId, username: "dev" });
      const session = driven.watch(
        new DfnsApiClient({ baseUrl: baseUrl(), orgId, authToken: token, signer }),
      );
      expect((await session.wallets.listWallets()).items.length).toBeGreaterThan(0);
      await session.auth.logout({ body: {} });
      await expect(session.wallets.listWallets()).rejects.toMatchObject({ httpStatus: 401 });
    });

    it("logs in by the single calls", async () => {
      const { driven, cluster } = world();
      const { developer } = cluster.description;
      const { auth } = driven.watch(new DfnsApiClient({ baseUrl: baseUrl() }));
      const challenge = await auth.createLoginChallenge({
        body: { orgId: developer.orgId, username: "dev" },
      });
      const firstFactor = await signerOf(developer).sign({ ...challenge, rp: challenge.rp ?? NO_PARTY });
      const { challengeIdentifier } = challenge;
      const session = await auth.login({ body: { challengeIdentifier, firstFactor } });
      expect(session).toEqual({ token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/) });
    });

    it("signs an action by the single calls, and keeps it on record", async () => {
      const { administrator, cluster } = world();
      const { auth } = administrator;
      const challenge = await auth.createUserActionChallenge({
        body: {
          userActionPayload: JSON.stringify({ network: "KeyECDSA" }),
          userActionHttpMethod: "POST",
          userActionHttpPath: "/wallets",
          userActionServerKind: "Api",
        },
      });
      const rp = challenge.rp ?? NO_PARTY;
      const firstFactor = await signerOf(cluster.description.developer).sign({ ...challenge, rp });
      const { challengeIdentifier } = challenge;
      const signed = await auth.createUserActionSignature({ body: { challengeIdentifier, firstFactor } });
      expect(signed.userAction).toEqual(expect.any(String));
      // the library declares the list as text, but the service answers a list like its others
      const logs: unknown = await auth.listAuditLogs();
      const [log] = logsSchema.parse(logs).items;
      if (log === undefined) expect.fail("no action is on record");
      const { id } = log;
      expect(await auth.getAuditLog({ id })).toMatchObject({
        id,
        action: log.action,
        firstFactorCredential: { kind: "Key", assertion: { signature: expect.any(String) } },
      });
    });

    it("shows applications, which clients of before 0.7 create", async () => {
      const { older, service, cluster } = world();
      const created = await older.auth.createApplication({
        body: {
          name: "shop",
          kind: "ServerSideApplication",
          relyingPartyId: "shop.example",
          origin: "https://shop.example",
          publicKey: new ClientCredential().publicKey,
        },
      });
      const { appId } = created;
      expect(await service.auth.getApplication({ appId })).toMatchObject({
        appId,
        name: "shop",
        kind: "ServerSideApplication",
        orgId: cluster.description.developer.orgId,
        expectedRpId: "shop.example",
        expectedOrigin: "https://shop.example",
        isActive: true,
      });
      expect((await service.auth.listApplications()).items.map((each) => each.appId)).toContain(appId);
    });

    it("registers an end user on a service account's word, whose wallet it then is", async () => {
      const { service } = world();
      const key = new ClientCredential();
      const challenge = await service.auth.createDelegatedRegistrationChallenge({
        body: { email: "ann@customer.example", kind: "EndUser" },
      });
      const registering = new DfnsApiClient({
        baseUrl: baseUrl(),
        authToken: challenge.temporaryAuthenticationToken,
      });
      const { user } = await registering.auth.register({
        body: {
          firstFactorCredential: {
            credentialKind: "Key",
            credentialInfo: key.attest(challenge.challenge),
          },
        },
      });
      const wallet = await service.wallets.createWallet({
        body: { network: "KeyEdDSA", delayDelegation: true },
      });
      const walletId = wallet.id;
      expect(await service.wallets.delegateWallet({ walletId, body: { userId: user.id } })).toEqual({
        walletId,
        status: "Delegated",
      });
      const delegated = await service.wallets.getWallet({ walletId });
      expect(delegated).toMatchObject({ custodial: false, signingKey: { delegatedTo: user.id } });
    });
  });
};
