import {
  type ApplicationId,
  applicationIdSchema,
  type OrganisationId,
  organisationIdSchema,
  userIdSchema,
} from "@conclave/custody";
import { z } from "zod";
import { date, optional } from "../columns.ts";
import type { Connection } from "../database.ts";
import type { ValueOf } from "../table/stored-table.ts";
import { plainTable } from "../table/table.ts";

export const applications = plainTable(
  "applications",
  {
    id: applicationIdSchema,
    orgId: organisationIdSchema,
    /** the user as which it acts; lists of users leave that user out */
    userId: userIdSchema,
    kind: z.enum(["ServerSideApplication", "ClientSideApplication"]),
    name: z.string(),
    expectedRpId: z.string(),
    expectedOrigin: z.string(),
    externalId: optional(z.string()),
    isActive: z.boolean(),
    dateCreated: date,
    dateArchived: optional(date),
  },
  { key: ["orgId", "id"], changing: ["name", "externalId", "isActive", "dateArchived"] },
);

/** A client of an organisation with its own identity. Dates are ISO 8601 UTC. */
export type Application = ValueOf<typeof applications>;

/** Inserts an application; its user must be inserted before. */
export const insertApplication = async (connection: Connection, application: Application): Promise<void> => {
  await applications.insert(connection, application);
};

/** Reads an application of this organisation that is not archived. */
export const readApplication = (
  connection: Connection,
  orgId: OrganisationId,
  id: ApplicationId,
): Promise<Application | undefined> => applications.one(connection, { orgId, id, dateArchived: null });

/** Like readApplication, and locks the row until the transaction ends. */
export const lockApplication = (
  connection: Connection,
  orgId: OrganisationId,
  id: ApplicationId,
): Promise<Application | undefined> =>
  applications.one(connection, { orgId, id, dateArchived: null }, "for update");

/** Lists the applications of an organisation that are not archived, newest first. */
export const listApplications = (
  connection: Connection,
  orgId: OrganisationId,
): Promise<readonly Application[]> =>
  applications.listed(
    connection,
    "where org_id = $1 and date_archived is null order by date_created desc, id desc",
    [orgId],
  );

/** Writes the columns of an application that can change. */
export const updateApplication = async (connection: Connection, application: Application): Promise<void> => {
  await applications.update(connection, application);
};
