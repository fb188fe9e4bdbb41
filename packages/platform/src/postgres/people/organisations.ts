import {
  type OrganisationId,
  organisationIdSchema,
  type Requester,
  requesterSchema,
} from "@conclave/custody";
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

/** Inserts an organisation; an existing one stays as it is. */
export const insertOrganisation = async (
  connection: Connection,
  organisation: Organisation,
): Promise<void> => {
  await connection.execute(
    "insert into organisations (id, name, date_created) values ($1, $2, $3) on conflict (id) do nothing",
    [organisation.id, organisation.name, organisation.dateCreated],
  );
};

/** Whether clients of the organisation may import keys. */
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

/** Sets whether clients of the organisation may import keys. @returns false if there is no such organisation */
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

/** Whether clients of the organisation may export keys. */
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

/** Sets whether clients of the organisation may export keys. @returns false if there is no such organisation */
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

/** In whose name the service gathers coins of the organisation's wallets by itself; undefined when it does not. */
export const readCoinGatherer = async (
  connection: Pick<Connection, "rows">,
  id: OrganisationId,
): Promise<Requester | undefined> => {
  const [found] = await connection.rows(
    z.object({ gathers_coins_for: requesterSchema }),
    "select gathers_coins_for from organisations where id = $1 and gathers_coins_for is not null",
    [id],
  );
  return found?.gathers_coins_for;
};

/** Sets in whose name the service gathers coins by itself. @param requester undefined: it does not any more */
export const setCoinGatherer = async (
  connection: Connection,
  id: OrganisationId,
  requester: Requester | undefined,
): Promise<void> => {
  await connection.execute("update organisations set gathers_coins_for = $2 where id = $1", [
    id,
    requester === undefined ? null : JSON.stringify(requester),
  ]);
};

/** Whether the service gathers coins of any organisation by itself. */
export const anyGathersCoins = async (connection: Pick<Connection, "execute">): Promise<boolean> =>
  (await connection.execute("select from organisations where gathers_coins_for is not null limit 1")) > 0;

/**
 * Locks an organisation until the transaction ends, so that its imports are settled one by one. It needs no right to the row.
 */
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
