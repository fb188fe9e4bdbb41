import { type UserGroupId, userGroupIdSchema } from "@conclave/custody";
import { z } from "zod";
import type { Person } from "./people.ts";
import type { Answer } from "./world.ts";

const groupSchema = z.looseObject({ id: userGroupIdSchema });
const PATH = "/auth/user-groups";
let count = 0;

/** A user group in a test, changed by any person. */
export interface GroupInTest {
  readonly id: UserGroupId;
  /** Adds people as `who`. */
  add(who: Person, ...people: readonly { readonly userId: string }[]): Promise<Answer>;
  /** Removes people as `who`. */
  remove(who: Person, ...people: readonly { readonly userId: string }[]): Promise<Answer>;
  delete(who: Person): Promise<Answer>;
  /** The ids of the members. */
  members(who: Person): Promise<readonly string[]>;
}

/** Makes a group with these members. */
export const makeGroup = async (
  admin: Person,
  ...people: readonly { readonly userId: string }[]
): Promise<GroupInTest> => {
  count += 1;
  const made = await admin.call("POST", PATH, { name: `group ${count}` });
  const { id } = groupSchema.parse(made.body);
  const change =
    (method: string) =>
    (who: Person, ...those: readonly { readonly userId: string }[]) =>
      who.call(method, `${PATH}/${id}/members`, { userIds: those.map(({ userId }) => userId) });
  const group: GroupInTest = {
    id,
    add: change("POST"),
    remove: change("DELETE"),
    delete: (who) => who.call("DELETE", `${PATH}/${id}`),
    members: async (who) => {
      const { body } = await who.call("GET", `${PATH}/${id}/members`);
      const { items } = z.object({ items: z.array(z.looseObject({ userId: z.string() })) }).parse(body);
      return items.map(({ userId }) => userId).toSorted();
    },
  };
  if (people.length > 0) {
    const { status } = await group.add(admin, ...people);
    if (status !== 200) throw new Error(`members of ${id} were not added`);
  }
  return group;
};

/** A policy's action that asks the members of these groups for an approval. */
export const askingGroups = (quorum: number, ...groups: readonly { readonly id: string }[]) => ({
  kind: "RequestApproval",
  approvalGroups: [{ quorum, approvers: { userGroupId: { in: groups.map(({ id }) => id) } } }],
});
