import { readFileSync } from "node:fs";
import { organisationIdSchema, tokenIdSchema, userIdSchema } from "@conclave/custody";
import { bootstrapOrganisation, freshId, openDatabase, processWorld } from "@conclave/platform";
import { type Cluster, fundAccount, issueClusterToken, LOCAL_NETWORKS, waitUntil } from "@conclave/testbed";
import { z } from "zod";
import type { LoadWallet } from "./history.ts";

/** Whole coins that each wallet receives from its network's faucet. */
const COINS = "5000";
const TOKEN_LIFETIME_S = 86_400;
const AUTO_REJECT_MINUTES = 1_440;

const walletSchema = z.object({
  id: z.string(),
  address: z.string(),
  signingKey: z.object({ id: z.string() }),
});

/** Longest wait for a healthy answer: on a busy machine, a signer may seem unavailable for a moment. */
const WHOLE_MS = 60_000;
const UNAVAILABLE = 503;

/** Sends a request that must be answered with 200, since the cluster is healthy when a load begins. */
export const askNow = async <T>(
  { api }: Pick<Cluster, "api">,
  schema: z.ZodType<T>,
  path: string,
  body: object,
): Promise<T> => {
  const answer = await waitUntil(
    async () => {
      const said = await api.send("POST", path, body);
      return said.status === UNAVAILABLE ? undefined : said;
    },
    { what: `an answer to POST ${path}`, deadlineMs: WHOLE_MS },
  );
  if (answer.status !== 200) throw new Error(`POST ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
  return schema.parse(answer.body);
};

const makeLoadWallet = async (
  cluster: Cluster,
  network: string,
  at: number,
  isGuarded: boolean,
): Promise<LoadWallet> => {
  const name = `load ${at + 1}`;
  const { id, address, signingKey } = await askNow(cluster, walletSchema, "/wallets", { network, name });
  const funded = await fundAccount(cluster.description.networks, network, address, COINS);
  return { id, network, address, keyId: signingKey.id, isGuarded, funded };
};

/**
 * Makes the load's wallets, several per network; the last of each network is to be guarded by a policy. In sequence, because
 * key generation is slow.
 */
export const makeLoadWallets = async (
  cluster: Cluster,
  networks: readonly string[],
  count: number,
): Promise<readonly LoadWallet[]> => {
  const wallets: LoadWallet[] = [];
  for (const network of networks) {
    if (!LOCAL_NETWORKS.some((local) => local.network === network))
      throw new RangeError(`${network} is not local`);
    for (let at = 0; at < count; at += 1)
      wallets.push(await makeLoadWallet(cluster, network, at, at === count - 1));
  }
  return wallets;
};

/** Creates an approver, because initiators may not approve their own requests. */
export const enterApprover = async ({
  layout,
  description,
}: Pick<Cluster, "layout" | "description">): Promise<{
  readonly userId: string;
  readonly token: string;
}> => {
  const orgId = organisationIdSchema.parse(description.developer.orgId);
  const userId = freshId(userIdSchema, "us");
  const database = openDatabase({ url: readFileSync(layout.databaseUrl, "utf8"), name: "conclave-load" });
  const users = [{ orgId, userId, username: "load-approver" }];
  await bootstrapOrganisation(
    processWorld,
    database,
    { id: orgId, name: "Development" },
    { users, serviceAccounts: [] },
  );
  await database.close();
  const token = await issueClusterToken(
    layout,
    description.clusterId,
    { orgId, userId, tokenId: freshId(tokenIdSchema, "to") },
    { issuedAt: new Date(), lifetimeSeconds: TOKEN_LIFETIME_S },
  );
  return { userId, token };
};

/** Makes a policy that all signing by these wallets needs the approver's vote. */
export const guardWallets = async (
  cluster: Pick<Cluster, "api">,
  walletIds: readonly string[],
  approverId: string,
): Promise<void> => {
  await askNow(cluster, z.looseObject({ id: z.string() }), "/v2/policies", {
    name: "the load's approver",
    activityKind: "Wallets:Sign",
    rule: { kind: "AlwaysTrigger", configuration: {} },
    action: {
      kind: "RequestApproval",
      approvalGroups: [{ name: "approver", quorum: 1, approvers: { userId: { in: [approverId] } } }],
      autoRejectTimeout: AUTO_REJECT_MINUTES,
    },
    filters: { walletId: { in: [...walletIds] } },
  });
};
