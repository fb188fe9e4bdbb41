import { groupMemberViewSchema, userGroupIdSchema, userGroupViewSchema } from "@conclave/custody";
import { z } from "@hono/zod-openapi";
import { changeRequestSchema } from "../policy.ts";

export const userGroupParams = z.object({ userGroupId: userGroupIdSchema });

export const userGroupSchema = z
  .object({ ...userGroupViewSchema.shape, pendingChangeRequest: changeRequestSchema.optional() })
  .openapi("UserGroup");

export const userGroupListSchema = z.object({
  items: z.array(userGroupSchema).readonly(),
  nextPageToken: z.string().optional(),
});

const groupMemberSchema = z.object(groupMemberViewSchema.shape).openapi("UserGroupMember");

export const groupMemberListSchema = z.object({
  items: z.array(groupMemberSchema).readonly(),
  nextPageToken: z.string().optional(),
});
