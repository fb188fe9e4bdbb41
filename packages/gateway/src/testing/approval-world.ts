import {
  type Operation,
  type PermissionId,
  permissionIdSchema,
  type UserId,
  userIdSchema,
} from "@conclave/custody";
import { listEvents } from "@conclave/platform";
import { expect } from "vitest";
import { z } from "zod";
import type { Person } from "./people.ts";
import { makeClientKey } from "./signers.ts";
import { type Answer, startWorld, type World, type WorldOptions } from "./world.ts";

/** Not the wallet itself, as a payment to itself does not leave it. */
const RECIPIENT = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";

const ETHERS: Readonly<Record<number, string>> = {
  90: "45000000000000000",
  2000: "1000000000000000000",
};
/** A payment of this many dollars. */
export const dollars = (usd: 90 | 2000) => ({ kind: "Native", to: RECIPIENT, amount: ETHERS[usd] });

const idSchema = z.looseObject({ id: z.string() });
const requestSchema = z.looseObject({
  id: z.string(),
  status: z.string(),
  reason: z.string().optional(),
  approvalId: z.string().optional(),
});
/** A request in the answer that a test got last. */
export type AskedInTest = z.output<typeof requestSchema>;

/** Selects transactions that wait for an organisation's rights, or for a wallet's spending. */
export const WAITING_IN_LINE = `select from pg_locks where locktype = 'advisory' and not granted
  and database = (select oid from pg_database where datname = current_database())`;
const statusSchema = z.object({ status: z.string(), reason: z.string().nullish() });
const TABLES: readonly (readonly [string, string])[] = [
  ["xfr-", "chain_requests"],
  ["tx-", "chain_requests"],
  ["sig-", "signatures"],
  ["cr-", "change_requests"],
];

/** A world with shortcuts for tests of approvals. */
export interface ApprovalWorld {
  readonly world: World;
  /** Makes a wallet. */
  wallet(): Promise<{ readonly id: string; readonly keyId: string }>;
  /** Makes a policy for the rest of the test; see `forget`. */
  policy(body: Readonly<Record<string, unknown>>): Promise<string>;
  /** Archives all policies that were made here and are not archived yet. */
  forget(): Promise<void>;
  /** A person with a permission of their own. */
  holder(...operations: readonly Operation[]): Promise<Holder>;
  /** The same person, calling with a personal access token. */
  withToken(holder: Holder): Promise<Person & { readonly tokenId: string }>;
  /** An application that calls with its token. */
  application(permissionId: string): Promise<Person & { readonly appId: string }>;
  ask(who: Person, path: string, body: unknown): Promise<AskedInTest>;
  vote(who: Person, request: Pick<AskedInTest, "approvalId">, value?: "Approved" | "Denied"): Promise<Answer>;
  /** The status of a request, its reason, and whether it is authorised. */
  fate(
    id: string,
  ): Promise<{ readonly status: string; readonly reason: string; readonly authorised: boolean }>;
  events(id: string): Promise<readonly string[]>;
  /** The number of this world's transactions that wait for an advisory lock. */
  waiting(): Promise<number>;
  /** Waits until this many transactions wait for an advisory lock. */
  untilWaiting(many: number): Promise<void>;
  approval(request: Pick<AskedInTest, "approvalId">): Promise<Readonly<Record<string, unknown>>>;
}

/** A person whose only permission is assigned to nobody else. */
export interface Holder extends Person {
  readonly permissionId: PermissionId;
  readonly assignmentId: string;
}

/** The permission, the assignment and the calls of a user who has just these operations. */
const holderOf = async (world: World, operations: readonly Operation[]): Promise<Holder> => {
  const { caller, token } = await world.tokenOf(operations);
  const [row] = await world.database.rows(
    z.object({ id: z.string(), permission_id: permissionIdSchema }),
    "select id, permission_id from permission_assignments where identity_id = $1",
    [caller.userId],
  );
  if (row === undefined) throw new Error(`${caller.userId} has no permission`);
  return {
    ...personOf(world, caller.userId, token),
    permissionId: row.permission_id,
    assignmentId: row.id,
  };
};

const personOf = (world: World, userId: UserId, token: string): Person => ({
  userId,
  call: (method, path, body) => world.call(method, path, body, { authorization: `Bearer ${token}` }),
});

const tokenSchema = z.looseObject({ tokenId: z.string(), accessToken: z.string() });
const applicationSchema = z.looseObject({
  appId: z.string(),
  accessTokens: z.tuple([tokenSchema]),
});

const made = <T>(schema: z.ZodType<T>, { status, body }: Answer): T => {
  if (status !== 200) throw new Error(`answered ${status}: ${JSON.stringify(body)}`);
  return schema.parse(body);
};

const fateOf = async (world: World, id: string) => {
  const table = TABLES.find(([prefix]) => id.startsWith(prefix))?.[1];
  if (table === undefined) throw new Error(`${id} is no request`);
  const [row] = await world.database.rows(statusSchema, `select status, reason from ${table} where id = $1`, [
    id,
  ]);
  const authorised =
    table === "change_requests"
      ? row?.status === "Applied"
      : (
          await world.database.rows(
            idSchema,
            `select id from ${table} where id = $1 and authorisation is not null`,
            [id],
          )
        ).length > 0;
  if (row === undefined) throw new Error(`${id} is gone`);
  return { status: row.status, reason: row.reason ?? "", authorised };
};

const makeWallet = async (world: World) => {
  const body = { network: "EthereumSepolia", delayDelegation: true };
  const wallet = made(idSchema.extend({ signingKey: idSchema }), await world.call("POST", "/wallets", body));
  return { id: wallet.id, keyId: wallet.signingKey.id };
};

export const startApprovalWorld = async (options: WorldOptions = {}): Promise<ApprovalWorld> => {
  const world = await startWorld(options);
  const policies = new Set<string>();
  return {
    world,
    wallet: () => makeWallet(world),
    policy: async (body) => {
      const policy = { name: "test", activityKind: "Wallets:Sign", ...body };
      const { id } = made(idSchema, await world.call("POST", "/v2/policies", policy));
      policies.add(id);
      return id;
    },
    forget: async () => {
      const ids = [...policies];
      policies.clear();
      await world.database.execute("update policies set status = 'Archived' where id = any($1)", [ids]);
    },
    holder: (...operations) => holderOf(world, operations),
    withToken: async (holder) => {
      const publicKey = makeClientKey().publicKey;
      const answer = await holder.call("POST", "/auth/pats", { name: "robot", publicKey, daysValid: 1 });
      const { tokenId, accessToken } = made(tokenSchema, answer);
      return { ...personOf(world, holder.userId, accessToken), tokenId };
    },
    application: async (permissionId) => {
      const answer = await world.call("POST", "/auth/apps", {
        name: "app",
        kind: "ServerSideApplication",
        relyingPartyId: "localhost",
        origin: "http://localhost:8080",
        publicKey: makeClientKey().publicKey,
        permissionId,
      });
      const { appId, accessTokens } = made(applicationSchema, answer);
      const [row] = await world.database.rows(
        z.object({ user_id: userIdSchema }),
        "select user_id from applications where id = $1",
        [appId],
      );
      if (row === undefined) throw new Error(`${appId} is nobody`);
      return { ...personOf(world, row.user_id, accessTokens[0].accessToken), appId };
    },
    ask: async (who, path, body) => made(requestSchema, await who.call("POST", path, body)),
    vote: (who, { approvalId }, value = "Approved") =>
      who.call("POST", `/v2/policy-approvals/${approvalId}/decisions`, { value }),
    fate: (id) => fateOf(world, id),
    waiting: () => world.database.execute(WAITING_IN_LINE),
    untilWaiting: (many) =>
      expect
        .poll(() => world.database.execute(WAITING_IN_LINE), { timeout: 10_000 })
        .toBeGreaterThanOrEqual(many),
    events: async (id) => (await listEvents(world.database, id)).map(({ kind }) => kind),
    approval: async ({ approvalId }) =>
      made(z.record(z.string(), z.unknown()), await world.call("GET", `/v2/policy-approvals/${approvalId}`)),
  };
};

/** A policy's action that asks these people for an approval, or all people if none are named. */
export const asking = (quorum: number, ...people: readonly Person[]) => ({
  kind: "RequestApproval",
  approvalGroups: [
    {
      quorum,
      approvers: people.length === 0 ? {} : { userId: { in: people.map(({ userId }) => userId) } },
      serviceAccountsCanApprove: true,
    },
  ],
});

export const ALWAYS = { kind: "AlwaysTrigger", configuration: {} };
