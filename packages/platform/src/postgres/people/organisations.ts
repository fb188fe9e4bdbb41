import { type OrganisationId, organisationIdSchema } from "@conclave/custody";
import { z } from "zod";
import { date } from "../columns.ts";
import type { Connection } from "../database.ts";

export interface Organisation {
  readonly id: OrganisationId;
  readonly name: string;
  /** ISO 8601 UTC */
  readonly dateCreated: string;
}

const rowSchema = z
  .object({ id: organisationIdSchema, name: z.string(), date_created: date })
  .transform((row): Organisation => ({ id: row.id, name: row.name, dateCreated: row.date_created }));

/** Adds an organisation; one that exists already stays as it is. */
export const insertOrganisation = async (
  connection: Connection,
  organisation: Organisation,
): Promise<void> => {
  await connection.execute(
    "insert into organisations (id, name, date_created) values ($1, $2, $3) on conflict (id) do nothing",
    [organisation.id, organisation.name, organisation.dateCreated],
  );
};

/** Whether clients of the organisation may bring keys of their own. */
export const isKeyImportActivated = async (
  connection: Pick<Connection, "rows">,
  id: OrganisationId,
): Promise<boolean> => {
  const [found] = await connection.rows(
    z.object({ key_import: z.boolean() }),
    "select key_import from organisations where id = $1",
    [id],
  );
  return found?.key_import ?? false;
};

/** Says whether clients of the organisation may bring keys. @returns false when there is no such organisation */
export const activateKeyImport = async (
  connection: Connection,
  id: OrganisationId,
  isActivated: boolean,
): Promise<boolean> => {
  const changed = await connection.execute("update organisations set key_import = $2 where id = $1", [
    id,
    isActivated,
  ]);
  return changed === 1;
};

/** Whether keys of the organisation may be handed out to its clients. */
export const isKeyExportActivated = async (
  connection: Pick<Connection, "rows">,
  id: OrganisationId,
): Promise<boolean> => {
  const [found] = await connection.rows(
    z.object({ key_export: z.boolean() }),
    "select key_export from organisations where id = $1",
    [id],
  );
  return found?.key_export ?? false;
};

/** Says whether keys of the organisation may be handed out. @returns false when there is no such organisation */
export const activateKeyExport = async (
  connection: Connection,
  id: OrganisationId,
  isActivated: boolean,
): Promise<boolean> => {
  const changed = await connection.execute("update organisations set key_export = $2 where id = $1", [
    id,
    isActivated,
  ]);
  return changed === 1;
};

/** Holds an organisation until the transaction ends: its imports are settled one by one. It takes no right to its row. */
export const lockOrganisation = async (connection: Connection, id: OrganisationId): Promise<void> => {
  await connection.execute("select pg_advisory_xact_lock(hashtextextended($1, 0))", [`imports/${id}`]);
};

export const readOrganisation = async (
  connection: Connection,
  id: OrganisationId,
): Promise<Organisation | undefined> => {
  const [found] = await connection.rows(rowSchema, "select * from organisations where id = $1", [id]);
  return found;
};
