import {
  type ApplicationId,
  applicationIdSchema,
  type OrganisationId,
  organisationIdSchema,
  type UserId,
  userIdSchema,
} from "@conclave/custody";
import { z } from "zod";
import { date, optional } from "../columns.ts";
import type { Connection } from "../database.ts";

const APPLICATION_KINDS = ["ServerSideApplication", "ClientSideApplication"] as const;
export type ApplicationKind = (typeof APPLICATION_KINDS)[number];

/** A client of an organisation with its own identity. Dates are ISO 8601 UTC. */
export interface Application {
  readonly id: ApplicationId;
  readonly orgId: OrganisationId;
  /** the user as which it acts; lists of users leave that user out */
  readonly userId: UserId;
  readonly kind: ApplicationKind;
  readonly name: string;
  readonly expectedRpId: string;
  readonly expectedOrigin: string;
  readonly externalId: string | undefined;
  readonly isActive: boolean;
  readonly dateCreated: string;
  readonly dateArchived: string | undefined;
}

const rowSchema = z
  .object({
    id: applicationIdSchema,
    org_id: organisationIdSchema,
    user_id: userIdSchema,
    kind: z.enum(APPLICATION_KINDS),
    name: z.string(),
    expected_rp_id: z.string(),
    expected_origin: z.string(),
    external_id: optional(z.string()),
    is_active: z.boolean(),
    date_created: date,
    date_archived: optional(date),
  })
  .transform(
    (row): Application => ({
      id: row.id,
      orgId: row.org_id,
      userId: row.user_id,
      kind: row.kind,
      name: row.name,
      expectedRpId: row.expected_rp_id,
      expectedOrigin: row.expected_origin,
      externalId: row.external_id,
      isActive: row.is_active,
      dateCreated: row.date_created,
      dateArchived: row.date_archived,
    }),
  );

/** Inserts an application; insert the user as which it acts before. */
export const insertApplication = async (connection: Connection, application: Application): Promise<void> => {
  await connection.execute(
    `insert into applications (id, org_id, user_id, kind, name, expected_rp_id, expected_origin, external_id, is_active,
       date_created, date_archived)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
    [
      application.id,
      application.orgId,
      application.userId,
      application.kind,
      application.name,
      application.expectedRpId,
      application.expectedOrigin,
      application.externalId,
      application.isActive,
      application.dateCreated,
      application.dateArchived,
    ],
  );
};

/** Reads an application of this organisation that is not archived. */
export const readApplication = async (
  connection: Connection,
  orgId: OrganisationId,
  id: ApplicationId,
): Promise<Application | undefined> => {
  const [found] = await connection.rows(
    rowSchema,
    "select * from applications where org_id = $1 and id = $2 and date_archived is null",
    [orgId, id],
  );
  return found;
};

/** Like readApplication, and locks the row until the transaction ends. */
export const lockApplication = async (
  connection: Connection,
  orgId: OrganisationId,
  id: ApplicationId,
): Promise<Application | undefined> => {
  const [found] = await connection.rows(
    rowSchema,
    "select * from applications where org_id = $1 and id = $2 and date_archived is null for update",
    [orgId, id],
  );
  return found;
};

/** Lists the applications of an organisation that are not archived, newest first. */
export const listApplications = (
  connection: Connection,
  orgId: OrganisationId,
): Promise<readonly Application[]> =>
  connection.listed(
    rowSchema,
    `select * from applications where org_id = $1 and date_archived is null
     order by date_created desc, id desc`,
    [orgId],
  );

/** Writes the columns of an application that can change. */
export const updateApplication = async (connection: Connection, application: Application): Promise<void> => {
  const { orgId, id, name, externalId, isActive, dateArchived } = application;
  await connection.execute(
    `update applications set name = $3, external_id = $4, is_active = $5, date_archived = $6
     where org_id = $1 and id = $2`,
    [orgId, id, name, externalId, isActive, dateArchived],
  );
};
