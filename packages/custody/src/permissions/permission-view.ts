import { z } from "zod";
import { OPERATIONS, operationSchema } from "./operations.ts";
import { changeableOf } from "./permission.ts";

/** A permission as the API shows it. */
export const permissionViewSchema = z.object({
  id: z.string(),
  name: z.string(),
  operations: z.array(operationSchema).max(OPERATIONS.length).readonly(),
  status: z.enum(["Active"]),
  isImmutable: z.boolean(),
  isArchived: z.boolean(),
  dateCreated: z.string(),
  dateUpdated: z.string(),
});
export type PermissionView = z.infer<typeof permissionViewSchema>;

/** An assignment as the API shows it. */
export const assignmentViewSchema = z.object({
  id: z.string(),
  permissionId: z.string(),
  identityId: z.string(),
  isImmutable: z.boolean(),
  dateCreated: z.string(),
  dateUpdated: z.string(),
});
export type AssignmentView = z.infer<typeof assignmentViewSchema>;

/**
 * Shows a permission, as immutable if no part of it can change. Client libraries expect the archived flag
 * beside the status.
 */
export const permissionView = (permission: Omit<PermissionView, "status">): PermissionView => ({
  id: permission.id,
  name: permission.name,
  operations: permission.operations,
  status: "Active",
  isImmutable: changeableOf(permission.isImmutable, permission.name) === "nothing",
  isArchived: permission.isArchived,
  dateCreated: permission.dateCreated,
  dateUpdated: permission.dateUpdated,
});

export const assignmentView = (assignment: AssignmentView): AssignmentView => ({
  id: assignment.id,
  permissionId: assignment.permissionId,
  identityId: assignment.identityId,
  isImmutable: assignment.isImmutable,
  dateCreated: assignment.dateCreated,
  dateUpdated: assignment.dateUpdated,
});
