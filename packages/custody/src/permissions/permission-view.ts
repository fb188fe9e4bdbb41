import type { Operation } from "./operations.ts";
import { changeableOf } from "./permission.ts";

/** A permission as the API shows it. */
export interface PermissionView {
  readonly id: string;
  readonly name: string;
  readonly operations: readonly Operation[];
  readonly status: "Active";
  readonly isImmutable: boolean;
  readonly isArchived: boolean;
  readonly dateCreated: string;
  readonly dateUpdated: string;
}

/** An assignment as the API shows it. */
export interface AssignmentView {
  readonly id: string;
  readonly permissionId: string;
  readonly identityId: string;
  readonly isImmutable: boolean;
  readonly dateCreated: string;
  readonly dateUpdated: string;
}

/** Shows a permission, as immutable when nothing of it can be changed; whether it was archived is a flag beside its status (client libraries expect it so). */
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
