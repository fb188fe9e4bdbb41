import { assignmentIdSchema, assignmentView, type PermissionId, problem } from "@conclave/custody";
import type { Caller, Connection } from "@conclave/platform";
import { guardChange } from "../change-request/guard-change.ts";
import type { Dependencies } from "../dependencies.ts";
import { demand, Refused } from "../http/refused.ts";
import { askedAssignment, storeAssignment } from "../permission/assignments.ts";

/**
 * Assigns the permission that a creation names to the new user or account, in the same transaction.
 * @throws Refused, which rolls the creation back: PermissionNotFound, PermissionArchived, or AssignmentNeedsApproval
 * when a policy requires an approval for the assignment, which a creation must not circumvent
 */
export const givePermission = async (
  dependencies: Pick<Dependencies, "prices" | "now" | "world">,
  connection: Connection,
  caller: Caller,
  permissionId: PermissionId | undefined,
  identityId: string,
): Promise<void> => {
  if (permissionId === undefined) return;
  const date = dependencies.now().toISOString();
  const id = dependencies.world.freshId(assignmentIdSchema, "as");
  const asked = await askedAssignment(connection, caller.orgId, permissionId, { id, identityId }, date);
  const { assignment } = demand(asked);
  const guarded = await guardChange(dependencies, connection, caller, {
    kind: "Assignment",
    operationKind: "Create",
    entityId: assignment.id,
    body: { ...assignmentView(assignment) },
    activity: { kind: "Permissions:Assign", permissionId },
    isOfCreation: true,
  });
  if (demand(guarded) !== undefined) throw new Refused(problem("AssignmentNeedsApproval", { permissionId }));
  await storeAssignment(connection, assignment);
};
