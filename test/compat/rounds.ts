import { DfnsApiClient as Client043 } from "dfns-sdk-0-4-3";
import { DfnsApiClient as Client058 } from "dfns-sdk-0-5-8";
import { DfnsApiClient as Client0612 } from "dfns-sdk-0-6-12";
import { DfnsApiClient as Client0718 } from "dfns-sdk-0-7-18";
import { DfnsApiClient as Client0821 } from "dfns-sdk-0-8-21";
import { describe, expect, it } from "vitest";
import { type CompatWorld, freshReceiver, signerOf } from "./compat-world.ts";

interface Wallet {
  readonly id: string;
  readonly network: string;
}
interface Requested {
  readonly id: string;
  readonly status: string;
  readonly requester: { readonly userId: string; readonly appId?: string | undefined };
}

/** The operations that all generations of the library share, by their common types. */
interface AnyClient {
  readonly wallets: {
    createWallet(request: { body: { network: "KeyEdDSA"; name: string } }): Promise<Wallet>;
    getWallet(request: { walletId: string }): Promise<Wallet>;
    transferAsset(request: {
      walletId: string;
      body: { kind: "Native"; to: string; amount: string };
    }): Promise<Requested>;
    getTransfer(request: { walletId: string; transferId: string }): Promise<Requested>;
    generateSignature(request: {
      walletId: string;
      body: { kind: "Message"; message: string };
    }): Promise<Requested>;
  };
}

/** Generations that manage applications and name one in each request. */
interface NamingClient extends AnyClient {
  readonly auth: {
    createApplication(request: {
      body: { name: string; kind: "ClientSideApplication"; relyingPartyId: string; origin: string };
    }): Promise<{ readonly appId: string }>;
    updateApplication(request: {
      appId: string;
      body: { name: string };
    }): Promise<{ readonly appId: string; readonly name: string }>;
  };
}

interface Options {
  readonly baseUrl: string;
  readonly authToken: string;
  readonly signer: ReturnType<typeof signerOf>;
}
type Making<Client> = (options: Options, appId: string) => Client;

const NAMING: readonly (readonly [string, Making<NamingClient>])[] = [
  ["0.4.3", (options, appId) => new Client043({ ...options, appId })],
  ["0.5.8", (options, appId) => new Client058({ ...options, appId })],
  ["0.6.12", (options, appId) => new Client0612({ ...options, appId })],
];
const NEWER: readonly (readonly [string, Making<AnyClient>])[] = [
  ["0.7.18", (options) => new Client0718(options)],
  ["0.8.21", (options) => new Client0821(options)],
];

/** An unregistered application. */
const NONE = "ap-00000-00000-0000000000000000";

/** The same short test with every generation of the library. */
export const rounds = (world: () => CompatWorld): void => {
  const optionsOf = (): Options => {
    const { api, developer } = world().cluster.description;
    const { token: authToken } = developer.serviceAccount;
    return { baseUrl: api.url, authToken, signer: signerOf(developer.serviceAccount) };
  };

  describe.each([...NAMING, ...NEWER])("client %s", (version, make) => {
    it("creates a wallet, signs with it, and transfers", async () => {
      const client = make(optionsOf(), NONE);
      const made = await client.wallets.createWallet({
        body: { network: "KeyEdDSA", name: version },
      });
      expect(await client.wallets.getWallet({ walletId: made.id })).toMatchObject({ name: version });
      const signed = await client.wallets.generateSignature({
        walletId: made.id,
        body: { kind: "Message", message: "0x6869" },
      });
      expect(signed.status).toBe("Signed");
      const walletId = world().treasury.id;
      const body = { kind: "Native", to: freshReceiver(), amount: "1" } as const;
      const { id: transferId, requester } = await client.wallets.transferAsset({ walletId, body });
      expect(requester.appId).toBeUndefined();
      expect(await client.wallets.getTransfer({ walletId, transferId })).toMatchObject({ id: transferId });
    });
  });

  describe.each(NAMING)("client %s with an application that is registered", (_, make) => {
    it("is on record with it, and changes it", async () => {
      const { auth } = make(optionsOf(), NONE);
      const kind = "ClientSideApplication";
      const { appId } = await auth.createApplication({
        body: { name: "kiosk", kind, relyingPartyId: "kiosk.example", origin: "https://kiosk.example" },
      });
      const client = make(optionsOf(), appId);
      const walletId = world().treasury.id;
      const body = { kind: "Native", to: freshReceiver(), amount: "1" } as const;
      expect((await client.wallets.transferAsset({ walletId, body })).requester).toMatchObject({ appId });
      const changed = await client.auth.updateApplication({ appId, body: { name: "booth" } });
      expect(changed).toMatchObject({ appId, name: "booth" });
    });
  });
};
