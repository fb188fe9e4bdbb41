import { describe, expect, it } from "vitest";
import type { CompatWorld } from "../compat-world.ts";

/** client.permissions */
export const permissionOperations = (world: () => CompatWorld): void => {
  describe("client.permissions", () => {
    it("creates, changes, assigns, revokes and archives a permission", async () => {
      const { service, cluster } = world();
      const { permissions } = service;
      const created = await permissions.createPermission({
        body: { name: "readers", operations: ["Wallets:Read", "Webhooks:Events:Read"] },
      });
      expect(created).toMatchObject({
        id: expect.stringMatching(/^pm-/),
        status: "Active",
        isArchived: false,
      });
      const permissionId = created.id;
      const updated = await permissions.updatePermission({
        permissionId,
        body: { name: "auditors", operations: ["Wallets:Read"] },
      });
      expect(updated).toMatchObject({ name: "auditors", operations: ["Wallets:Read"] });
      expect(await permissions.getPermission({ permissionId })).toEqual(updated);
      expect((await permissions.listPermissions()).items).toContainEqual(updated);

      const identityId = cluster.description.developer.userId;
      const assignment = await permissions.createAssignment({ permissionId, body: { identityId } });
      expect(assignment).toMatchObject({ permissionId, identityId });
      expect((await permissions.listAssignments({ permissionId })).items).toEqual([assignment]);
      await permissions.deleteAssignment({ permissionId, assignmentId: assignment.id });
      expect((await permissions.listAssignments({ permissionId })).items).toEqual([]);
      const archived = await permissions.archivePermission({ permissionId, body: { isArchived: true } });
      expect(archived).toMatchObject({ id: permissionId, isArchived: true });
    });
  });
};
