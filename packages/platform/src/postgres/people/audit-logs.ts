import {
  type AuditLogId,
  auditLogIdSchema,
  type OrganisationId,
  organisationIdSchema,
  tokenIdSchema,
  type UserId,
  userIdSchema,
} from "@conclave/custody";
import { z } from "zod";
import { bytes, date, optional } from "../columns.ts";
import type { Connection, Listed } from "../database.ts";
import type { Page } from "../page.ts";
import type { ValueOf } from "../table/stored-table.ts";
import { plainTable } from "../table/table.ts";
import { CREDENTIAL_KINDS } from "./credentials.ts";
import { signedAssertionSchema } from "./user-actions.ts";

const auditLogs = plainTable(
  "audit_logs",
  {
    id: auditLogIdSchema,
    orgId: organisationIdSchema,
    userId: userIdSchema,
    /** the username at that time */
    username: z.string(),
    tokenId: optional(tokenIdSchema),
    method: z.string(),
    /** without query */
    path: z.string(),
    /** SHA-256 of the canonical JSON of the body */
    payloadDigest: bytes,
    /** the token of the action, which is already used and has no value any more */
    actionToken: z.string(),
    credentialId: z.string(),
    credentialKind: z.enum(CREDENTIAL_KINDS),
    /** SPKI in PEM, at that time */
    publicKey: z.string(),
    secondCredentialId: optional(z.string()),
    assertion: signedAssertionSchema,
    /** ISO 8601 UTC */
    datePerformed: date,
  },
  { pagedBy: "datePerformed" },
);

/** An accepted signed action: who did what, and the signature, which anyone can verify again. */
export type AuditLog = ValueOf<typeof auditLogs>;

export const insertAuditLog = async (connection: Connection, log: AuditLog): Promise<void> => {
  await auditLogs.insert(connection, log);
};

/** Reads a log of this organisation. */
export const readAuditLog = (
  connection: Connection,
  orgId: OrganisationId,
  id: AuditLogId,
): Promise<AuditLog | undefined> => auditLogs.one(connection, { orgId, id });

/** Selects logs: from a date on, before a date (ISO 8601), of one user. */
export interface AuditLogFilter {
  readonly from: string | undefined;
  readonly before: string | undefined;
  readonly userId: UserId | undefined;
}

/** Lists the logs of an organisation, newest first. */
export const listAuditLogs = (
  connection: Connection,
  orgId: OrganisationId,
  filter: AuditLogFilter,
  page: Page,
): Promise<Listed<AuditLog>> =>
  auditLogs.page(
    connection,
    `org_id = $1 and ($2::timestamptz is null or date_performed >= $2)
       and ($3::timestamptz is null or date_performed < $3) and ($4::text is null or user_id = $4)`,
    [orgId, filter.from ?? null, filter.before ?? null, filter.userId ?? null],
    page,
  );
