import { readFileSync } from "node:fs";
import type { ApiAccess, Cluster } from "@conclave/testbed";
import { DfnsApiClient } from "@dfns/sdk";
import { AsymmetricKeySigner } from "@dfns/sdk-keysigner";
import { DfnsApiClient as OlderClient } from "dfns-sdk-0-5-8";
import { DfnsApiClient as NewerClient } from "dfns-sdk-0-8-21";
import { getAddress } from "ethers";
import { createTestClient, http, type TestClient } from "viem";
import { Driven } from "./driven.ts";

export const ETHER: bigint = 10n ** 18n;

/** An unregistered application; clients of 0.5.8 always name one. */
const SOME_APPLICATION = "ap-00000-00000-0000000000000000";

/** One cluster, with the client libraries from npm that call it. */
export interface CompatWorld {
  readonly cluster: Cluster;
  readonly driven: Driven;
  /** @dfns/sdk 0.8.3, as the development organisation's service account; this library checks the token's organisation */
  readonly service: DfnsApiClient;
  /** @dfns/sdk 0.8.3, as its administrator */
  readonly administrator: DfnsApiClient;
  /** @dfns/sdk 0.8.21, as the service account */
  readonly newer: NewerClient;
  /** @dfns/sdk 0.5.8, as the service account */
  readonly older: OlderClient;
  /** anvil's own methods */
  readonly node: TestClient<"anvil">;
  /** a wallet of EthereumSepolia that holds a hundred ether */
  readonly treasury: { readonly id: string; readonly address: `0x${string}` };
}

export const signerOf = ({ credential }: Pick<ApiAccess, "credential">): AsymmetricKeySigner =>
  new AsymmetricKeySigner({ credId: credential.id, privateKey: readFileSync(credential.keyFile, "utf8") });

/** The options for every generation of the library: base URL, bearer token and credential. */
const optionsOf = (cluster: Cluster, access: ApiAccess) => ({
  baseUrl: cluster.description.api.url,
  authToken: access.token,
  signer: signerOf(access),
});

/** The client libraries for a cluster, with their calls recorded. */
export const clientsOf = (cluster: Cluster, driven: Driven) => {
  const { developer } = cluster.description;
  const { orgId, serviceAccount } = developer;
  return {
    driven,
    service: driven.watch(new DfnsApiClient({ ...optionsOf(cluster, serviceAccount), orgId })),
    administrator: driven.watch(new DfnsApiClient({ ...optionsOf(cluster, developer), orgId })),
    newer: driven.watch(new NewerClient({ ...optionsOf(cluster, serviceAccount), orgId })),
    older: driven.watch(new OlderClient({ ...optionsOf(cluster, serviceAccount), appId: SOME_APPLICATION })),
  };
};

export const openWorld = async (cluster: Cluster, driven: Driven = new Driven()): Promise<CompatWorld> => {
  const clients = clientsOf(cluster, driven);
  const { id, address } = await clients.service.wallets.createWallet({
    body: { network: "EthereumSepolia" },
  });
  const node = createTestClient({ mode: "anvil", transport: http(cluster.description.chain.rpcUrl) });
  const treasury = { id, address: addressOf(address) };
  await node.setBalance({ address: treasury.address, value: 100n * ETHER });
  return { cluster, ...clients, node, treasury };
};

/** A wallet's EVM address from a client's answer. */
export const addressOf = (address: string | undefined): `0x${string}` => {
  if (address === undefined) throw new Error("the wallet has no address");
  return `0x${getAddress(address).slice(2)}`;
};

let receivers = 0;

/** An address that this test run has not used before. */
export const freshReceiver = (): `0x${string}` => {
  receivers += 1;
  return addressOf(`0x${receivers.toString(16).padStart(40, "c0de")}`);
};
