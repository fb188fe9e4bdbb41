import { z } from "zod";
import { assignmentIdSchema, permissionIdSchema } from "../identifiers.ts";
import { nameText } from "../text.ts";
import { OPERATIONS, operationSchema } from "./operations.ts";

const NAME_LENGTH = 100;

const name = nameText(NAME_LENGTH);
const operations = z.array(operationSchema).max(OPERATIONS.length);

/** The body of POST /permissions. */
export const createPermissionBodySchema = z.strictObject({ name, operations });
export type CreatePermissionBody = z.infer<typeof createPermissionBodySchema>;

/** The body of PUT /permissions/{permissionId}: absent fields stay unchanged. */
export const updatePermissionBodySchema = z.strictObject({
  name: name.optional(),
  operations: operations.optional(),
});
export type UpdatePermissionBody = z.infer<typeof updatePermissionBodySchema>;

/** The body of PUT /permissions/{permissionId}/archive. */
export const archivePermissionBodySchema = z.strictObject({ isArchived: z.boolean() });

/**
 * The body of POST /permissions/{permissionId}/assignments: the id of a user, a service account, a token or
 * an application. The id of a user group is parsed, and refused with a reason of its own.
 */
export const createAssignmentBodySchema = z.strictObject({
  identityId: z.string().regex(/^(us|to|ap|ug)-[a-z0-9]{5}-[a-z0-9]{5}-[a-z0-9]{14,16}$/),
});
export type CreateAssignmentBody = z.infer<typeof createAssignmentBodySchema>;

export const permissionParamsSchema = z.object({ permissionId: permissionIdSchema });
export const assignmentParamsSchema = z.object({
  permissionId: permissionIdSchema,
  assignmentId: assignmentIdSchema,
});
