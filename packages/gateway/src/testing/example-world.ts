import { randomBytes } from "node:crypto";
import { webhookEventIdSchema } from "@conclave/custody";
import { freshId } from "@conclave/platform";
import { z } from "zod";
import { personWith, userOf } from "./people.ts";
import { enterKey, makeActor } from "./signed-actions.ts";
import { makeClientKey } from "./signers.ts";
import type { World } from "./world.ts";

type Body = Readonly<Record<string, unknown>>;
/** Ids of entities, by the names of ids in paths and examples. */
export type Things = Readonly<Record<string, string>>;

const TO = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
const NATIVE = { kind: "Native", to: TO, amount: "1" };
/** An address that nobody watches yet. */
const freshAddress = (): string => `0x${randomBytes(20).toString("hex")}`;
const HASH = { kind: "Hash", hash: `0x${"2b".repeat(32)}` };
const PAGE = { relyingPartyId: "localhost", origin: "http://localhost:8080" };
const WEBHOOK = { url: "http://127.0.0.1:1/", events: ["*"] };

/** The operation of an example. */
export interface ExampleFor {
  readonly operationId: string;
  /** the scheme of the key that the example needs; undefined where any key will do */
  readonly scheme: string | undefined;
}

const CURVES: Readonly<Record<string, string>> = { EdDSA: "ed25519" };
const formatOf = (scheme = "ECDSA") => ({ scheme, curve: CURVES[scheme] ?? "secp256k1" });

/** Makes entities through the API itself. */
const makerOf = (world: World) => {
  let count = 0;
  const fresh = (): string => {
    count += 1;
    return `example-${count}`;
  };
  const made = async (path: string, body: Body): Promise<Body> => {
    const answer = await world.call("POST", path, body);
    if (answer.status !== 200) throw new Error(`POST ${path} answers ${JSON.stringify(answer.body)}`);
    return z.looseObject({}).parse(answer.body);
  };
  const idOf = async (path: string, body: Body, name = "id"): Promise<string> =>
    z.string().parse((await made(path, body))[name]);
  return { fresh, made, idOf };
};
type Maker = ReturnType<typeof makerOf>;

/** Makes another person's transfer, which waits for the administrator's approval. */
const makeApproval = async (world: World, { idOf, fresh }: Maker): Promise<string> => {
  const walletId = await idOf("/wallets", { network: "EthereumSepolia" });
  await idOf("/v2/policies", {
    name: fresh(),
    activityKind: "Wallets:Sign",
    rule: { kind: "AlwaysTrigger" },
    action: { kind: "RequestApproval", approvalGroups: [{ quorum: 1, approvers: {} }] },
    filters: { walletId: { in: [walletId] } },
  });
  const initiator = await personWith(world, ["Wallets:Transfers:Create"]);
  const { body } = await initiator.call("POST", `/wallets/${walletId}/transfers`, NATIVE);
  return z.looseObject({ approvalId: z.string() }).parse(body).approvalId;
};

/** Makes a second credential of the administrator. */
const makeCredential = async (world: World): Promise<string> => {
  await enterKey(world, world.caller, makeClientKey());
  const { body } = await world.call("GET", "/auth/credentials");
  const { items } = z.object({ items: z.array(z.looseObject({ credentialUuid: z.string() })) }).parse(body);
  return items[0]?.credentialUuid ?? "";
};

/** Makes a job that has ended, with its wallets: no gateway carries jobs on in this world. */
const makeBulkJob = async ({ database }: World, { idOf, fresh }: Maker): Promise<string> => {
  const body = { network: "KeyECDSA", count: 2, name: fresh() };
  const id = await idOf("/wallets/bulk-create", body);
  for (const number of [1, 2]) {
    const walletId = await idOf("/wallets", { network: body.network });
    await database.execute("insert into bulk_wallets (job_id, number, wallet_id) values ($1, $2, $3)", [
      id,
      number,
      walletId,
    ]);
  }
  await database.execute(
    "update bulk_wallet_jobs set status = 'Completed', completed_count = 2, date_completed = now() where id = $1",
    [id],
  );
  return id;
};

/** Makes the record of a signed action of the administrator. */
const makeAuditLog = async (world: World, { fresh }: Maker): Promise<string> => {
  const actor = makeActor(world);
  await enterKey(world, world.caller, actor.admin);
  await actor.act({ method: "POST", path: "/permissions", body: { name: fresh(), operations: [] } });
  const { body } = await world.call("GET", "/auth/action/logs");
  return z.object({ items: z.array(z.looseObject({ id: z.string() })) }).parse(body).items[0]?.id ?? "";
};

/** Makes the record of a delivery attempt. */
const makeAttempt = async ({ database, caller }: World, webhookId: string): Promise<string> => {
  const id = freshId(webhookEventIdSchema, "whe");
  const event = {
    id,
    kind: "wallet.created",
    date: "2026-01-02T03:04:05.678Z",
    data: {},
    status: "200",
    timestampSent: 1_767_323_045,
    deliveryFailed: false,
    deliveryAttempt: 1,
  };
  await database.execute(
    `insert into webhook_events (id, webhook_id, org_id, kind, delivery_failed, event, date_sent)
     values ($1, $2, $3, $4, false, $5, now())`,
    [id, webhookId, caller.orgId, event.kind, JSON.stringify(event)],
  );
  return id;
};

/**
 * Makes the entities for the ids of an example: new ones for each example, as one example may archive what another
 * needs.
 * @returns by the name of an id, the function that makes its entity from those made before
 */
export const exampleThings = (
  world: World,
): Readonly<Record<string, (earlier: Things, example: ExampleFor) => Promise<string>>> => {
  const maker = makerOf(world);
  const { fresh, made, idOf } = maker;
  const { publicKey } = makeClientKey();
  const isDelegation = (operationId: string) => operationId.startsWith("delegate");
  const under = ({ walletId, keyId = "" }: Things): string =>
    walletId === undefined ? `/keys/${keyId}` : `/wallets/${walletId}`;
  return {
    orgId: async () => world.caller.orgId,
    network: async () => "ethereum-sepolia",
    walletId: (_, { operationId, scheme }) => {
      const network = scheme === "EdDSA" ? "KeyEdDSA" : "EthereumSepolia";
      return idOf("/wallets", { network, delayDelegation: isDelegation(operationId) });
    },
    jobId: () => makeBulkJob(world, maker),
    addressWatchId: () => idOf("/address-watches", { network: "EthereumSepolia", address: freshAddress() }),
    keyId: (_, { operationId, scheme }) =>
      idOf("/keys", { ...formatOf(scheme), delayDelegation: isDelegation(operationId) }),
    transferId: ({ walletId }) => idOf(`/wallets/${walletId}/transfers`, NATIVE),
    transactionId: ({ walletId }) =>
      idOf(`/wallets/${walletId}/transactions`, { kind: "Evm", to: TO, value: "1" }),
    signatureId: (earlier) => idOf(`${under(earlier)}/signatures`, HASH),
    userId: () => userOf(world, "EndUser", fresh()),
    serviceAccountId: async () => {
      const body = await made("/auth/service-accounts", { name: fresh(), publicKey });
      return z.looseObject({ userId: z.string() }).parse(body["userInfo"]).userId;
    },
    tokenId: () => idOf("/auth/pats", { name: fresh(), publicKey }, "tokenId"),
    appId: () => idOf("/auth/apps", { name: fresh(), kind: "ClientSideApplication", ...PAGE }, "appId"),
    credentialUuid: () => makeCredential(world),
    permissionId: () => idOf("/permissions", { name: fresh(), operations: ["Wallets:Read"] }),
    userGroupId: () => idOf("/auth/user-groups", { name: fresh() }),
    assignmentId: async ({ permissionId }) =>
      idOf(`/permissions/${permissionId}/assignments`, {
        identityId: await userOf(world, "EndUser", fresh()),
      }),
    policyId: () =>
      idOf("/v2/policies", {
        name: fresh(),
        activityKind: "Wallets:Sign",
        rule: { kind: "AlwaysTrigger" },
        action: { kind: "NoAction" },
      }),
    approvalId: () => makeApproval(world, maker),
    id: () => makeAuditLog(world, maker),
    webhookId: async () => {
      // an organisation has at most five
      await world.database.execute("delete from webhooks");
      return idOf("/webhooks", WEBHOOK);
    },
    webhookEventId: ({ webhookId = "" }) => makeAttempt(world, webhookId),
  };
};
