import { type Operation, type UserId, userIdSchema } from "@conclave/custody";
import { freshId, insertUser } from "@conclave/platform";
import type { Answer, World } from "./world.ts";

/** A person who calls the API in a test. */
export interface Person {
  readonly userId: UserId;
  call(method: string, path: string, body?: unknown): Promise<Answer>;
}

const person = (world: World, userId: UserId, token: string): Person => ({
  userId,
  call: (method, path, body) => world.call(method, path, body, { authorization: `Bearer ${token}` }),
});

/** The world's own administrator. */
export const administratorOf = (world: World): Person => person(world, world.caller.userId, world.token);

/** A person of the same organisation with these operations. */
export const personWith = async (world: World, operations: readonly Operation[]): Promise<Person> => {
  const { caller, token } = await world.tokenOf(operations);
  return person(world, caller.userId, token);
};

/** A person of the same organisation who may decide on approvals. */
export const approverOf = (world: World): Promise<Person> =>
  personWith(world, ["Policies:Approvals:Read", "Policies:Approvals:Approve"]);

/** Adds a registered user of the same organisation, who has not logged in. */
export const userOf = async (
  world: World,
  kind: "EndUser" | "CustomerEmployee",
  username?: string,
): Promise<UserId> => {
  const id = freshId(userIdSchema, "us");
  await insertUser(world.database, {
    id,
    orgId: world.caller.orgId,
    username: username ?? id,
    name: username ?? id,
    kind,
    isServiceAccount: false,
    isRegistered: true,
    isActive: true,
    externalId: undefined,
    dateCreated: new Date().toISOString(),
    dateArchived: undefined,
  });
  return id;
};
