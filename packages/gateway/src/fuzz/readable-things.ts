import { addressWatchIdSchema, type Deposit, networkSchema, walletIdSchema } from "@conclave/custody";
import { insertDeposits, insertWatchedMovements } from "@conclave/platform";
import { z } from "zod";
import { exampleThings } from "../testing/example-world.ts";
import { approverOf, personWith } from "../testing/people.ts";
import type { World } from "../testing/world.ts";

const TO = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
const TOKEN = "0x5FbDB2315678afecb367f032d93F642f64180aa3";
const idSchema = z.looseObject({ id: z.string() });
const askedSchema = z.looseObject({ id: z.string(), approvalId: z.string() });

/** Ids by their names in paths; a name that means different entities in different paths has a field of its own. */
export interface ReadableThings {
  readonly ids: Readonly<Record<string, string>>;
  /** ids of signatures, by their owner */
  readonly signatures: { readonly wallets: string; readonly keys: string };
  /** an end user with a wallet and a key */
  readonly owner: string;
  /** the contract of the token that moved second */
  readonly contract: string;
}

const answered = async (world: World, method: string, path: string, body: unknown): Promise<unknown> => {
  const answer = await world.call(method, path, body);
  if (answer.status >= 300) throw new Error(`${method} ${path} answers ${JSON.stringify(answer.body)}`);
  return answer.body;
};

/** Makes deposits to a wallet, and movements at a watched address. */
const makeMovements = async (world: World, wallet: string, watch: string): Promise<void> => {
  const movement: Omit<Deposit, "id" | "walletId"> = {
    orgId: world.caller.orgId,
    network: networkSchema.parse("EthereumSepolia"),
    txHash: "0x01",
    place: "value",
    from: "0x02",
    moved: { kind: "Native", to: TO, amount: "5" },
    asset: { symbol: "ETH", decimals: 18 },
    blockNumber: 7n,
    date: "2026-01-02T03:04:05.678Z",
  };
  const ofToken = {
    ...movement,
    txHash: "0x04",
    place: "log 1",
    moved: { kind: "Erc20", contract: TOKEN, to: TO, amount: "5" },
    asset: { symbol: "USDC", decimals: 6 },
  } as const;
  const walletId = walletIdSchema.parse(wallet);
  await insertDeposits(world.database, [
    { ...movement, walletId },
    { ...ofToken, walletId },
  ]);
  const addressWatchId = addressWatchIdSchema.parse(watch);
  await insertWatchedMovements(world.database, [
    { ...movement, addressWatchId, direction: "In" },
    { ...ofToken, addressWatchId, direction: "Out" },
  ]);
};

/**
 * Makes approvals of each kind of request: waiting ones of two transfers, a settled one of a signature, one of a
 * transaction.
 */
const makeApprovals = async (world: World): Promise<readonly string[]> => {
  const { id: wallet } = idSchema.parse(
    await answered(world, "POST", "/wallets", { network: "EthereumSepolia" }),
  );
  const action = { kind: "RequestApproval", approvalGroups: [{ quorum: 1, approvers: {} }] };
  await answered(world, "POST", "/v2/policies", {
    name: "people decide",
    activityKind: "Wallets:Sign",
    rule: { kind: "AlwaysTrigger" },
    action,
    filters: { walletId: { in: [wallet] } },
  });
  const initiator = await personWith(world, [
    "Wallets:Transfers:Create",
    "Wallets:Transactions:Create",
    "Wallets:GenerateSignature",
  ]);
  const bodies = [
    ["transfers", { kind: "Native", to: TO, amount: "1" }],
    ["transactions", { kind: "Evm", to: TO, value: "1" }],
    ["signatures", { kind: "Hash", hash: "ab".repeat(32) }],
  ] as const;
  const ids: string[] = [];
  for (const [kind, body] of bodies) {
    const asked = await initiator.call("POST", `/wallets/${wallet}/${kind}`, body);
    ids.push(askedSchema.parse(asked.body).approvalId);
  }
  const approver = await approverOf(world);
  await approver.call("POST", `/v2/policy-approvals/${ids[2]}/decisions`, { value: "Denied", reason: "no" });
  return ids;
};

/** Makes a user group that a policy asks, and returns the path of its members. */
const makeNamedGroup = async (world: World, member: string): Promise<string> => {
  const { id } = idSchema.parse(await answered(world, "POST", "/auth/user-groups", { name: "approvers" }));
  const members = `/auth/user-groups/${id}/members`;
  await answered(world, "POST", members, { userIds: [member] });
  const approvers = { userGroupId: { in: [id] } };
  await answered(world, "POST", "/v2/policies", {
    name: "a group decides",
    activityKind: "Wallets:Sign",
    rule: { kind: "AlwaysTrigger" },
    action: { kind: "RequestApproval", approvalGroups: [{ quorum: 1, approvers }] },
    filters: { walletTags: { hasAny: ["no wallet has it"] } },
  });
  return members;
};

/**
 * Makes waiting changes of a permission, of an assignment, of a policy, and of a user group's members; changes of
 * policies wait from then on.
 */
const makeChanges = async (world: World, ids: Readonly<Record<string, string>>): Promise<void> => {
  const members = await makeNamedGroup(world, world.caller.userId);
  for (const activityKind of ["Permissions:Assign", "Permissions:Modify", "Policies:Modify"]) {
    await answered(world, "POST", "/v2/policies", {
      name: activityKind,
      activityKind,
      rule: { kind: "AlwaysTrigger" },
      action: { kind: "RequestApproval", approvalGroups: [{ quorum: 1, approvers: {} }] },
    });
  }
  const permission = `/permissions/${ids["permissionId"]}`;
  await answered(world, "DELETE", `${permission}/assignments/${ids["assignmentId"]}`, undefined);
  await answered(world, "PUT", permission, { name: "renamed", operations: ["Wallets:Read"] });
  await answered(world, "DELETE", `/v2/policies/${ids["policyId"]}`, {});
  await answered(world, "POST", members, { userIds: [ids["userId"]] });
};

/**
 * Makes entities of every kind that can be read, at least two of each, so that one remains when the other's row is
 * spoilt.
 * @returns the ids of the first of them
 */
export const makeReadableThings = async (world: World): Promise<ReadableThings> => {
  const makers = exampleThings(world);
  const example = { operationId: "", scheme: undefined };
  const make = async (name: string, earlier: Readonly<Record<string, string>> = {}): Promise<string> => {
    const maker = makers[name];
    if (maker === undefined) throw new Error(`nobody makes a ${name}`);
    return maker(earlier, example);
  };
  const twice = async (name: string, earlier?: Readonly<Record<string, string>>): Promise<string> => {
    const first = await make(name, earlier);
    await make(name, earlier);
    return first;
  };
  const walletId = await twice("walletId");
  const keyId = await twice("keyId");
  const webhookId = await make("webhookId");
  await answered(world, "POST", "/webhooks", { url: "http://127.0.0.1:1/", events: ["*"] });
  const permissionId = await twice("permissionId");
  const owner = await twice("userId");
  for (const [path, body] of [
    ["/wallets", { network: "EthereumSepolia", delegateTo: owner }],
    ["/keys", { scheme: "EdDSA", curve: "ed25519", delegateTo: owner }],
  ] as const)
    await answered(world, "POST", path, body);
  const ids: Record<string, string> = { walletId, keyId, webhookId, permissionId, userId: owner };
  for (const name of [
    "serviceAccountId",
    "tokenId",
    "appId",
    "credentialUuid",
    "id",
    "policyId",
    "userGroupId",
    "jobId",
    "addressWatchId",
  ])
    ids[name] = await twice(name);
  await makeMovements(world, walletId, ids["addressWatchId"] ?? "");
  for (const name of ["transferId", "transactionId"]) ids[name] = await twice(name, { walletId });
  ids["assignmentId"] = await twice("assignmentId", { permissionId });
  ids["webhookEventId"] = await twice("webhookEventId", { webhookId });
  const signatures = {
    wallets: await twice("signatureId", { walletId }),
    keys: await twice("signatureId", { keyId }),
  };
  const [approvalId = ""] = await makeApprovals(world);
  await makeChanges(world, ids);
  return { ids: { ...ids, approvalId }, signatures, owner, contract: TOKEN };
};
