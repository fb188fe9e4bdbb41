import type { Operation, UserId } from "@conclave/custody";
import type { Answer, World } from "./world.ts";

/** Somebody who calls the API in a test. */
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

/** Somebody of the same organisation who may do these operations. */
export const personWith = async (world: World, operations: readonly Operation[]): Promise<Person> => {
  const { caller, token } = await world.tokenOf(operations);
  return person(world, caller.userId, token);
};

/** Somebody of the same organisation who may decide on approvals. */
export const approverOf = (world: World): Promise<Person> =>
  personWith(world, ["Policies:Approvals:Read", "Policies:Approvals:Approve"]);
