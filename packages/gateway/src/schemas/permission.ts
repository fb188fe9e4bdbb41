import { OPERATIONS, operationSchema } from "@conclave/custody";
import { z } from "@hono/zod-openapi";
import { changeRequestSchema } from "./policy.ts";

export const permissionSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    operations: z.array(operationSchema).max(OPERATIONS.length).readonly(),
    status: z.enum(["Active"]),
    isImmutable: z.boolean(),
    isArchived: z.boolean(),
    dateCreated: z.string(),
    dateUpdated: z.string(),
    pendingChangeRequest: changeRequestSchema.optional(),
  })
  .openapi("Permission");

export const permissionListSchema = z.object({
  items: z.array(permissionSchema).readonly(),
  nextPageToken: z.string().optional(),
});

export const assignmentSchema = z
  .object({
    id: z.string(),
    permissionId: z.string(),
    identityId: z.string(),
    isImmutable: z.boolean(),
    dateCreated: z.string(),
    dateUpdated: z.string(),
    pendingChangeRequest: changeRequestSchema.optional(),
  })
  .openapi("PermissionAssignment");

export const assignmentListSchema = z.object({
  items: z.array(assignmentSchema).readonly(),
  nextPageToken: z.string().optional(),
});
