import { type ChangeRequest, type UserGroup, type UserId, userIdSchema } from "@conclave/custody";
import { z } from "zod";
import { readInChange } from "../change-request/stored-change.ts";

/** A change of a group's members. */
export interface MemberChange {
  readonly kind: "Added" | "Removed";
  readonly userIds: readonly UserId[];
}

/** The body of the change request, as approvers see it. */
export const memberChangeBody = (
  { id, orgId, name }: UserGroup,
  { kind, userIds }: MemberChange,
): Readonly<Record<string, unknown>> => ({
  id,
  orgId,
  name,
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
