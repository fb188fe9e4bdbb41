import { auditLogIdSchema, problem, userIdSchema } from "@conclave/custody";
import { type AuditLog, listAuditLogs, readAuditLog } from "@conclave/platform";
import { type OpenAPIHono, z } from "@hono/zod-openapi";
import type { Dependencies, GatewayEnv } from "../../dependencies.ts";
import { LATEST_MS, pageQuerySchema, readPageOfLarge } from "../../http/pagination.ts";
import { Refused } from "../../http/refused.ts";
import { auditLogListSchema, auditLogSchema } from "../../schemas/audit-log.ts";
import { forbiddenError } from "../../schemas/error.ts";
import { answer, operation, readErrors } from "../operation.ts";

const date = z.iso
  .datetime({ offset: true })
  .refine((text) => Date.parse(text) >= 0 && Date.parse(text) <= LATEST_MS, "is not between 1970 and 9999")
  .transform((text) => new Date(text).toISOString())
  .optional();

const listAuditLogsRoute = operation("get", "/auth/action/logs", {
  operationId: "listAuditLogs",
  summary: "List the signed actions that were let in, newest first",
  needs: ["Auth:Logs:Read"],
  request: {
    query: pageQuerySchema.extend({ startTime: date, endTime: date, userId: userIdSchema.optional() }),
  },
  answers: { 200: answer("One page", auditLogListSchema), ...forbiddenError },
});

const getAuditLogRoute = operation("get", "/auth/action/logs/{id}", {
  operationId: "getAuditLog",
  summary: "Read a signed action, with what it takes to check its signature again",
  needs: ["Auth:Logs:Read"],
  request: { params: z.object({ id: auditLogIdSchema }) },
  answers: { 200: answer("The action", auditLogSchema), ...readErrors },
});

const auditLogView = (log: AuditLog) => ({
  id: log.id,
  action: `${log.method} ${log.path}`,
  actionToken: log.actionToken,
  userId: log.userId,
  username: log.username,
  ...(log.tokenId === undefined ? {} : { tokenId: log.tokenId }),
  datePerformed: log.datePerformed,
  payloadDigest: Buffer.from(log.payloadDigest).toString("hex"),
  firstFactorCredential: {
    id: log.credentialId,
    kind: log.credentialKind,
    publicKey: log.publicKey,
    assertion: {
      authenticatorData: log.assertion.authenticatorData ?? null,
      clientData: log.assertion.clientData,
      signature: log.assertion.signature,
    },
  },
  ...(log.secondCredentialId === undefined ? {} : { secondFactorCredential: { id: log.secondCredentialId } }),
});

/** Adds the record of signed actions. */
export const addAuditLogRoutes = (
  app: OpenAPIHono<GatewayEnv>,
  { database }: Pick<Dependencies, "database">,
): void => {
  app.openapi(listAuditLogsRoute, async (c) => {
    const { startTime: from, endTime: before, userId, ...query } = c.req.valid("query");
    const filter = { from, before, userId };
    const { items, next } = await readPageOfLarge(query, {
      read: (page) => listAuditLogs(database, c.get("caller").orgId, filter, page),
      dateOf: ({ datePerformed }) => datePerformed,
      show: (logs) => logs.map(auditLogView),
    });
    return c.json({ items, ...next }, 200);
  });
  app.openapi(getAuditLogRoute, async (c) => {
    const { id } = c.req.valid("param");
    const { orgId } = c.get("caller");
    const log = await readAuditLog(database, orgId, id);
    if (log === undefined) throw new Refused(problem("AuditLogNotFound", { id, orgId }));
    return c.json(auditLogView(log), 200);
  });
};
