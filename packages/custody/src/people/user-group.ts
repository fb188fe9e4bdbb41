import { z } from "zod";
import { type OrganisationId, type UserGroupId, userIdSchema } from "../identifiers.ts";
import { nameText } from "../text.ts";

const NAME_LENGTH = 100;
const DESCRIPTION_LENGTH = 500;
const MOST_CHANGED = 100;

/** A named group of an organisation's people. Dates are ISO 8601 UTC. */
export interface UserGroup {
  readonly id: UserGroupId;
  readonly orgId: OrganisationId;
  readonly name: string;
  readonly description: string | undefined;
  /** the members that are not archived */
  readonly memberCount: number;
  readonly dateCreated: string;
  readonly dateUpdated: string;
}

const name = nameText(NAME_LENGTH);
const description = nameText(DESCRIPTION_LENGTH);

/** The body of POST /auth/user-groups. */
export const createUserGroupBodySchema = z.strictObject({ name, description: description.optional() });
export type CreateUserGroupBody = z.infer<typeof createUserGroupBodySchema>;

/** The body of PUT /auth/user-groups/{userGroupId}: absent fields stay unchanged, and `null` removes the description. */
export const updateUserGroupBodySchema = z.strictObject({
  name: name.optional(),
  description: description.nullable().optional(),
});
export type UpdateUserGroupBody = z.infer<typeof updateUserGroupBodySchema>;

/** The body of POST and DELETE /auth/user-groups/{userGroupId}/members. */
export const groupMembersBodySchema = z.strictObject({
  userIds: z.array(userIdSchema).min(1).max(MOST_CHANGED),
});

/** The user group in API responses. */
export const userGroupViewSchema = z.object({
  id: z.string(),
  orgId: z.string(),
  name: z.string(),
  description: z.string().optional(),
  memberCount: z.int(),
  dateCreated: z.string(),
  dateUpdated: z.string(),
});
export type UserGroupView = z.infer<typeof userGroupViewSchema>;

export const userGroupView = ({ description: given, ...group }: UserGroup): UserGroupView => ({
  ...group,
  ...(given === undefined ? {} : { description: given }),
});

/** Changes the name and the description of a group as a body says. */
export const renamedGroup = (group: UserGroup, body: UpdateUserGroupBody, date: string): UserGroup => ({
  ...group,
  name: body.name ?? group.name,
  description: body.description === undefined ? group.description : (body.description ?? undefined),
  dateUpdated: date,
});

/** A member of a user group in API responses. */
export const groupMemberViewSchema = z.object({
  userId: z.string(),
  username: z.string(),
  name: z.string(),
  kind: z.string(),
  isActive: z.boolean(),
});
export type GroupMemberView = z.infer<typeof groupMemberViewSchema>;
