import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import type { CompatWorld } from "../compat-world.ts";
import type { PythonClient } from "./python-client.ts";

const groupSchema = z.looseObject({ id: z.string(), name: z.string(), memberCount: z.int() });
const groupsSchema = z.looseObject({ items: z.array(groupSchema) });
const membersSchema = z.looseObject({ items: z.array(z.looseObject({ userId: z.string() })) });

/** Tests operations on groups of people, which no generation of the npm library has. */
export const pythonUserGroups = (world: () => CompatWorld, python: () => PythonClient): void => {
  /** The result of an operation of the administrator. @throws the client's exception */
  const value = async (operation: string, named: Readonly<Record<string, unknown>>): Promise<unknown> => {
    const { api, developer } = world().cluster.description;
    const { token, credential } = developer;
    const privateKey = readFileSync(credential.keyFile, "utf8");
    const access = { baseUrl: api.url, token, credential: { id: credential.id, privateKey } };
    const answer = await python().call(access, operation, named);
    if ("message" in answer) throw new Error(`${operation}: ${answer.status} ${answer.message}`);
    return answer.value;
  };

  describe("the Python client from PyPI, on groups of people", () => {
    it("creates, renames, fills, empties and deletes a group", async () => {
      const body = { name: "Treasurers", description: "approve payments" };
      const made = groupSchema.parse(await value("auth.create_user_group", { body }));
      const user_group_id = made.id;
      const renamed = await value("auth.update_user_group", { user_group_id, body: { name: "Treasury" } });
      expect(renamed).toMatchObject({ id: made.id, name: "Treasury", description: body.description });
      const members = { userIds: [world().cluster.description.developer.userId] };
      await value("auth.add_user_group_members", { user_group_id, body: members });
      const listed = membersSchema.parse(await value("auth.list_user_group_members", { user_group_id }));
      expect(listed.items.map(({ userId }) => userId)).toEqual(members.userIds);
      expect(await value("auth.get_user_group", { user_group_id })).toMatchObject({ memberCount: 1 });
      await value("auth.remove_user_group_members", { user_group_id, body: members });
      const groups = groupsSchema.parse(await value("auth.list_user_groups", {}));
      expect(groups.items).toMatchObject([{ id: made.id, memberCount: 0 }]);
      await value("auth.delete_user_group", { user_group_id });
      expect(groupsSchema.parse(await value("auth.list_user_groups", {})).items).toEqual([]);
    });
  });
};
