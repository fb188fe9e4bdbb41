import {
  type ChangeRequest,
  type PolicyId,
  type UserGroup,
  type UserId,
  userIdSchema,
} from "@conclave/custody";
import { z } from "zod";
import { readInChange } from "../change-request/stored-change.ts";

/** A change of a group's members. */
export interface MemberChange {
  readonly kind: "Added" | "Removed";
  readonly userIds: readonly UserId[];
}

/**
 * The body of the change request, as approvers see it.
 * @param policyIds the policies whose approvers it changes, at the moment of the request
 */
export const memberChangeBody = (
  { id, orgId, name }: UserGroup,
  { kind, userIds }: MemberChange,
  policyIds: readonly PolicyId[],
): Readonly<Record<string, unknown>> => ({
  id,
  orgId,
  name,
  policyIds,
  addedUserIds: kind === "Added" ? userIds : [],
  removedUserIds: kind === "Removed" ? userIds : [],
});

const approvedSchema = z
  .object({ addedUserIds: z.array(userIdSchema), removedUserIds: z.array(userIdSchema) })
  .refine(
    ({ addedUserIds, removedUserIds }) => (addedUserIds.length === 0) !== (removedUserIds.length === 0),
  );

/** The change in a request's body, in the form that people approved. @throws UnreadableRow */
export const memberChangeOf = (request: ChangeRequest): MemberChange => {
  const { addedUserIds, removedUserIds } = readInChange(request, "body", approvedSchema, request.body);
  return addedUserIds.length > 0
    ? { kind: "Added", userIds: addedUserIds }
    : { kind: "Removed", userIds: removedUserIds };
};
