import {
  type AuditLogId,
  auditLogIdSchema,
  type OrganisationId,
  organisationIdSchema,
  type TokenId,
  tokenIdSchema,
  type UserId,
  userIdSchema,
} from "@conclave/custody";
import { z } from "zod";
import { bytes, date, optional } from "../columns.ts";
import type { Connection, Listed } from "../database.ts";
import type { Page } from "../page.ts";
import { CREDENTIAL_KINDS, type CredentialKind } from "./credentials.ts";
import { type SignedAssertion, signedAssertionSchema } from "./user-actions.ts";

/** An accepted signed action: who did what, and the signature, which anybody can verify again. */
export interface AuditLog {
  readonly id: AuditLogId;
  readonly orgId: OrganisationId;
  readonly userId: UserId;
  /** at that time */
  readonly username: string;
  readonly tokenId: TokenId | undefined;
  readonly method: string;
  /** without query */
  readonly path: string;
  /** SHA-256 of the canonical JSON of the body */
  readonly payloadDigest: Uint8Array;
  /** the token of the action, which is spent and useless now */
  readonly actionToken: string;
  readonly credentialId: string;
  readonly credentialKind: CredentialKind;
  /** SPKI in PEM, at that time */
  readonly publicKey: string;
  readonly secondCredentialId: string | undefined;
  readonly assertion: SignedAssertion;
  /** ISO 8601 UTC */
  readonly datePerformed: string;
}

const rowSchema = z
  .object({
    id: auditLogIdSchema,
    org_id: organisationIdSchema,
    user_id: userIdSchema,
    username: z.string(),
    token_id: optional(tokenIdSchema),
    method: z.string(),
    path: z.string(),
    payload_digest: bytes,
    action_token: z.string(),
    credential_id: z.string(),
    credential_kind: z.enum(CREDENTIAL_KINDS),
    public_key: z.string(),
    second_credential_id: optional(z.string()),
    assertion: signedAssertionSchema,
    date_performed: date,
  })
  .transform(
    (row): AuditLog => ({
      id: row.id,
      orgId: row.org_id,
      userId: row.user_id,
      username: row.username,
      tokenId: row.token_id,
      method: row.method,
      path: row.path,
      payloadDigest: row.payload_digest,
      actionToken: row.action_token,
      credentialId: row.credential_id,
      credentialKind: row.credential_kind,
      publicKey: row.public_key,
      secondCredentialId: row.second_credential_id,
      assertion: row.assertion,
      datePerformed: row.date_performed,
    }),
  );

export const insertAuditLog = async (connection: Connection, log: AuditLog): Promise<void> => {
  await connection.execute(
    `insert into audit_logs (id, org_id, user_id, username, token_id, method, path, payload_digest, action_token,
       credential_id, credential_kind, public_key, second_credential_id, assertion, date_performed)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)`,
    [
      log.id,
      log.orgId,
      log.userId,
      log.username,
      log.tokenId,
      log.method,
      log.path,
      log.payloadDigest,
      log.actionToken,
      log.credentialId,
      log.credentialKind,
      log.publicKey,
      log.secondCredentialId,
      JSON.stringify(log.assertion),
      log.datePerformed,
    ],
  );
};

/** Reads a log of this organisation. */
export const readAuditLog = async (
  connection: Connection,
  orgId: OrganisationId,
  id: AuditLogId,
): Promise<AuditLog | undefined> => {
  const [found] = await connection.rows(rowSchema, "select * from audit_logs where org_id = $1 and id = $2", [
    orgId,
    id,
  ]);
  return found;
};

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
  connection.listed(
    rowSchema,
    `select * from audit_logs
     where org_id = $1 and ($2::timestamptz is null or date_performed >= $2)
       and ($3::timestamptz is null or date_performed < $3) and ($4::text is null or user_id = $4)
       and ($5::timestamptz is null or (date_performed, id) < ($5, $6))
     order by date_performed desc, id desc limit $7`,
    [
      orgId,
      filter.from ?? null,
      filter.before ?? null,
      filter.userId ?? null,
      page.after?.date ?? null,
      page.after?.id ?? null,
      page.limit,
    ],
  );
