import { generateKeyPairSync } from "node:crypto";
import {
  applicationIdSchema,
  assignmentIdSchema,
  credentialUuidSchema,
  MOST_APPLICATIONS,
  MOST_ASSIGNMENTS,
  MOST_CREDENTIALS,
  MOST_MACHINE_OPERATIONS,
  MOST_PERSONAL_TOKENS,
  MOST_SERVICE_ACCOUNTS,
  OPERATIONS,
  permissionIdSchema,
  tokenIdSchema,
  userIdSchema,
} from "@conclave/custody";
import { freshId } from "@conclave/platform";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { errorOf } from "../../testing/bodies.ts";
import { userOf } from "../../testing/people.ts";
import { attestationOf, type ClientKey, makeClientKey } from "../../testing/signers.ts";
import { type Answer, startWorld, type World } from "../../testing/world.ts";

const publicKey = generateKeyPairSync("ed25519").publicKey.export({ type: "spki", format: "pem" }).toString();
const APPLICATION = { relyingPartyId: "a.example", origin: "https://a.example" };

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());

const ids = (count: number, fresh: () => string): readonly string[] => Array.from({ length: count }, fresh);
const freshUser = () => freshId(userIdSchema, "us");
const codeOf = ({ status, body }: Answer) => (status === 200 ? "made" : errorOf(body).details.code);
const itemsSchema = z.looseObject({ items: z.array(z.looseObject({})) });
const lengthOf = async (path: string) => itemsSchema.parse((await world.call("GET", path)).body).items.length;

const insertMachines = (userIds: readonly string[]) =>
  world.database.execute(
    `insert into users (id, org_id, username, name, kind, is_service_account, is_registered, is_active, date_created)
     select id, $1, id, 'filler', 'CustomerEmployee', true, true, true, now() from unnest($2::text[]) id`,
    [world.caller.orgId, userIds],
  );
const insertApplications = (appIds: readonly string[], userIds: readonly string[]) =>
  world.database.execute(
    `insert into applications (id, org_id, user_id, kind, name, expected_rp_id, expected_origin, is_active, date_created)
     select a, $1, u, 'ClientSideApplication', 'filler', 'a.example', 'https://a.example', true, now()
     from unnest($2::text[], $3::text[]) as filler (a, u)`,
    [world.caller.orgId, appIds, userIds],
  );
const insertTokens = (tokenIds: readonly string[]) =>
  world.database.execute(
    `insert into access_tokens (id, org_id, kind, name, user_id, cred_id, public_key, token_hash, is_active,
       date_created, date_expires)
     select id, $1, 'Pat', 'filler', $2, id, 'SHA256:filler', convert_to(id, 'UTF8'), true, now(), now()
     from unnest($3::text[]) id`,
    [world.caller.orgId, world.caller.userId, tokenIds],
  );
const insertCredentials = (uuids: readonly string[], isActive: boolean) =>
  world.database.execute(
    `insert into credentials (id, uuid, kind, org_id, user_id, name, public_key, is_active, relying_party_id, origin,
       sign_count, date_created)
     select id, id, 'Key', $1, $2, 'filler', $4, $5, '', '', 0, '2020-01-01' from unnest($3::text[]) id`,
    [world.caller.orgId, world.caller.userId, uuids, publicKey, isActive],
  );
const clear = async () => {
  const { orgId, userId } = world.caller;
  for (const statement of [
    "delete from permission_assignments where org_id = $1 and identity_id <> $2",
    "delete from credentials where org_id = $1 and (user_id = $2 or token_id is null)",
    "update access_tokens set date_archived = now() where org_id = $1 and (user_id = $2 or kind <> 'Token')",
    "update applications set date_archived = now() where org_id = $1 and user_id <> $2",
    "update users set date_archived = now() where org_id = $1 and is_service_account and id <> $2",
  ]) {
    await world.database.execute(statement, [orgId, userId]);
  }
};
beforeEach(clear);

/**
 * Expects that of two concurrent requests, with room for one, one succeeds and one is refused, and that the remedy
 * makes room.
 */
const expectRoomForOne = async (ask: () => Promise<Answer>, code: string, remedy: () => Promise<unknown>) => {
  expect((await Promise.all([ask(), ask()])).map(codeOf).sort()).toEqual([code, "made"].sort());
  const rows = await world.rows();
  expect(await ask()).toMatchObject({ status: 422 });
  expect(await world.rows()).toBe(rows);
  await remedy();
  expect(codeOf(await ask())).toBe("made");
  expect(codeOf(await ask())).toBe(code);
};

describe("K8 INV-9 a list without pages has a bound:", () => {
  it("service accounts of an organisation", async () => {
    const filler = ids(MOST_SERVICE_ACCOUNTS - 1, freshUser);
    await insertMachines(filler);
    const ask = () => world.call("POST", "/auth/service-accounts", { name: "one", publicKey });
    await expectRoomForOne(ask, "TooManyServiceAccounts", () =>
      world.call("DELETE", `/auth/service-accounts/${filler[0]}`),
    );
    expect(await lengthOf("/auth/service-accounts")).toBe(MOST_SERVICE_ACCOUNTS);
  });

  it("applications of an organisation", async () => {
    const [apps, users] = [
      ids(MOST_APPLICATIONS - 1, () => freshId(applicationIdSchema, "ap")),
      ids(MOST_APPLICATIONS - 1, freshUser),
    ];
    await insertMachines(users);
    await insertApplications(apps, users);
    const ask = () =>
      world.call("POST", "/auth/apps", { kind: "ClientSideApplication", name: "one", ...APPLICATION });
    await expectRoomForOne(ask, "TooManyApplications", () => world.call("DELETE", `/auth/apps/${apps[0]}`));
    expect(await lengthOf("/auth/apps")).toBe(MOST_APPLICATIONS);
  });

  it("personal access tokens of a person", async () => {
    const filler = ids(MOST_PERSONAL_TOKENS - 1, () => freshId(tokenIdSchema, "to"));
    await insertTokens(filler);
    const ask = () => world.call("POST", "/auth/pats", { name: "one", publicKey });
    await expectRoomForOne(ask, "TooManyTokens", () => world.call("DELETE", `/auth/pats/${filler[0]}`));
    expect(await lengthOf("/auth/pats")).toBe(MOST_PERSONAL_TOKENS);
  });

  it("credentials of a person: a new one takes the place of one that is not active", async () => {
    const filler = ids(MOST_CREDENTIALS - 2, () => freshId(credentialUuidSchema, "cr"));
    await insertCredentials(filler, true);
    await insertCredentials(
      ids(1, () => freshId(credentialUuidSchema, "cr")),
      false,
    );
    expect(await lengthOf("/auth/credentials")).toBe(MOST_CREDENTIALS - 1);
    const register = () => registered(makeClientKey());
    expect((await Promise.all([register(), register()])).map(codeOf)).toEqual(["made", "made"]);
    expect(await lengthOf("/auth/credentials")).toBe(MOST_CREDENTIALS);
    expect(codeOf(await register())).toBe("TooManyCredentials");
    await world.call("PUT", "/auth/credentials/deactivate", { credentialUuid: filler[0] });
    await expectRoomForOne(register, "TooManyCredentials", () =>
      world.call("PUT", "/auth/credentials/deactivate", { credentialUuid: filler[1] }),
    );
    expect(await lengthOf("/auth/credentials")).toBe(MOST_CREDENTIALS);
  });

  it("permissions of an identity", async () => {
    const [machine = "", holder = ""] = ids(2, freshUser);
    await insertMachines([machine, holder]);
    const permissions = await permissionsOf(MOST_ASSIGNMENTS + 4, ["Wallets:Read"]);
    await assign(permissions.slice(0, MOST_ASSIGNMENTS - 1), [machine]);
    const left = permissions.slice(MOST_ASSIGNMENTS - 1);
    const ask = () => world.call("POST", `/permissions/${left.pop()}/assignments`, { identityId: machine });
    await expectRoomForOne(ask, "TooManyAssignments", async () => {
      const path = `/permissions/${permissions[0]}/assignments`;
      const { items } = itemsSchema.parse((await world.call("GET", path)).body);
      return world.call("DELETE", `${path}/${items[0]?.["id"]}`);
    });
  });

  it("operations that all machines of an organisation list together", async () => {
    const each = OPERATIONS.length;
    const machines = ids(Math.floor(MOST_MACHINE_OPERATIONS / each), freshUser);
    const [further = "", narrow = ""] = ids(2, freshUser);
    await insertMachines([...machines, further, narrow]);
    const [all = "", few = ""] = await permissionsOf(2, OPERATIONS);
    await assign([all], machines);
    const path = (id: string) => `/permissions/${id}`;
    const give = (id: string, identityId: string) =>
      world.call("POST", `${path(id)}/assignments`, { identityId });
    expect(codeOf(await give(all, further))).toBe("TooManyOperations");
    // not for a person, whose permissions are listed on pages
    expect(codeOf(await give(all, (await world.tokenOf([])).caller.userId))).toBe("made");
    expect((await world.call("PUT", path(few), { operations: [] })).status).toBe(200);
    expect(codeOf(await give(few, narrow))).toBe("made");
    expect(codeOf(await world.call("PUT", path(few), { operations: [...OPERATIONS] }))).toBe(
      "TooManyOperations",
    );
    const body = { name: "one", publicKey, permissionId: all };
    expect(codeOf(await world.call("POST", "/auth/service-accounts", body))).toBe("TooManyOperations");
    await world.call("DELETE", `/auth/service-accounts/${machines[0]}`);
    expect(codeOf(await give(all, further))).toBe("made");
  });
});

it("K8 a page of people ends where their permissions make it long", async () => {
  const people = await Promise.all(ids(12, freshUser).map(() => userOf(world, "CustomerEmployee")));
  await assign(await permissionsOf(MOST_ASSIGNMENTS, OPERATIONS), people);
  const seen: unknown[] = [];
  let token = "";
  let pages = 0;
  do {
    const { body } = await world.call("GET", `/auth/users?limit=500${token}`);
    expect(JSON.stringify(body).length).toBeLessThan(2_097_152);
    const { items, nextPageToken } = pageSchema.parse(body);
    seen.push(...items.map(({ userId }) => userId));
    token = nextPageToken === undefined ? "" : `&paginationToken=${nextPageToken}`;
    pages += 1;
  } while (token !== "");
  expect(pages).toBeGreaterThan(1);
  expect(new Set(seen).size).toBe(seen.length);
  expect(seen).toEqual(expect.arrayContaining(people));
});

const pageSchema = z.looseObject({
  items: z.array(z.looseObject({ userId: z.string() })),
  nextPageToken: z.string().optional(),
});
const challengeSchema = z.looseObject({ challenge: z.string(), challengeIdentifier: z.string() });
const registered = async (key: ClientKey): Promise<Answer> => {
  const init = await world.call("POST", "/auth/credentials/init", { kind: "Key" });
  const { challenge, challengeIdentifier } = challengeSchema.parse(init.body);
  return world.call("POST", "/auth/credentials", {
    challengeIdentifier,
    credentialName: "one",
    credentialKind: "Key",
    credentialInfo: { ...attestationOf(key, challenge), credId: key.credId },
  });
};

const permissionsOf = async (count: number, operations: readonly string[]): Promise<string[]> => {
  const made = ids(count, () => freshId(permissionIdSchema, "pm"));
  await world.database.execute(
    `insert into permissions (id, org_id, name, operations, date_created, date_updated)
     select id, $1, id, $3::jsonb, now(), now() from unnest($2::text[]) id`,
    [world.caller.orgId, made, JSON.stringify(operations)],
  );
  return [...made];
};
const assign = async (permissions: readonly string[], identities: readonly string[]) => {
  const pairs = permissions.flatMap((permission) => identities.map((identity) => ({ permission, identity })));
  await world.database.execute(
    `insert into permission_assignments (id, org_id, permission_id, identity_id, date_created, date_updated)
     select a, $1, p, i, now(), now() from unnest($2::text[], $3::text[], $4::text[]) as filler (a, p, i)`,
    [
      world.caller.orgId,
      pairs.map(() => freshId(assignmentIdSchema, "as")),
      pairs.map(({ permission }) => permission),
      pairs.map(({ identity }) => identity),
    ],
  );
};
