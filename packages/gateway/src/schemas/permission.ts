import { assignmentViewSchema, permissionViewSchema } from "@conclave/custody";
import { z } from "@hono/zod-openapi";
import { changeRequestSchema } from "./policy.ts";

export const permissionSchema = z
  .object({ ...permissionViewSchema.shape, pendingChangeRequest: changeRequestSchema.optional() })
  .openapi("Permission");

export const permissionListSchema = z.object({
  items: z.array(permissionSchema).readonly(),
  nextPageToken: z.string().optional(),
});

export const assignmentSchema = z
  .object({ ...assignmentViewSchema.shape, pendingChangeRequest: changeRequestSchema.optional() })
  .openapi("PermissionAssignment");

export const assignmentListSchema = z.object({
  items: z.array(assignmentSchema).readonly(),
  nextPageToken: z.string().optional(),
});
