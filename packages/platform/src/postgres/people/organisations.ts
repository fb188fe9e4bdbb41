import {
  type OrganisationId,
  organisationIdSchema,
  type Requester,
  requesterSchema,
} from "@conclave/custody";
import { z } from "zod";
import { date } from "../columns.ts";
import type { Connection } from "../database.ts";
import type { ValueOf } from "../table/stored-table.ts";
import { plainTable } from "../table/table.ts";

const organisations = plainTable("organisations", {
  id: organisationIdSchema,
  name: z.string(),
  dateCreated: date,
});

/** An organisation; its date is ISO 8601 UTC. */
export type Organisation = ValueOf<typeof organisations>;

/** The columns that say whether clients of an organisation may import or export keys. */
type KeyPassage = "key_import" | "key_export";

const isActivated = async (
  connection: Pick<Connection, "rows">,
  passage: KeyPassage,
  id: OrganisationId,
): Promise<boolean> => {
  const [found] = await connection.rows(
    z.object({ activated: z.boolean() }),
    `select ${passage} as activated from organisations where id = $1`,
    [id],
  );
  return found?.activated ?? false;
};

/** @returns false if there is no such organisation */
const activate = async (
  connection: Connection,
  passage: KeyPassage,
  id: OrganisationId,
  activated: boolean,
): Promise<boolean> =>
  (await connection.execute(`update organisations set ${passage} = $2 where id = $1`, [id, activated])) === 1;

/** Inserts an organisation; an existing one stays as it is. */
export const insertOrganisation = async (
  connection: Connection,
  organisation: Organisation,
): Promise<void> => {
  await organisations.insert(connection, organisation, "on conflict (id) do nothing");
};

/** Whether clients of the organisation may import keys. */
export const isKeyImportActivated = (
  connection: Pick<Connection, "rows">,
  id: OrganisationId,
): Promise<boolean> => isActivated(connection, "key_import", id);

/** Sets whether clients of the organisation may import keys. @returns false if there is no such organisation */
export const activateKeyImport = (
  connection: Connection,
  id: OrganisationId,
  activated: boolean,
): Promise<boolean> => activate(connection, "key_import", id, activated);

/** Whether clients of the organisation may export keys. */
export const isKeyExportActivated = (
  connection: Pick<Connection, "rows">,
  id: OrganisationId,
): Promise<boolean> => isActivated(connection, "key_export", id);

/** Sets whether clients of the organisation may export keys. @returns false if there is no such organisation */
export const activateKeyExport = (
  connection: Connection,
  id: OrganisationId,
  activated: boolean,
): Promise<boolean> => activate(connection, "key_export", id, activated);

/** The column of the requester in whose name the service gathers coins by itself. */
export const GATHERS_COINS_FOR = "gathers_coins_for";

/**
 * The requester in whose name the service gathers coins of the organisation's wallets by itself; undefined if it does
 * not.
 */
export const readCoinGatherer = async (
  connection: Pick<Connection, "rows">,
  id: OrganisationId,
): Promise<Requester | undefined> => {
  const [found] = await connection.rows(
    z.object({ requester: requesterSchema }),
    "select gathers_coins_for as requester from organisations where id = $1 and gathers_coins_for is not null",
    [id],
  );
  return found?.requester;
};

/** Sets the requester in whose name the service gathers coins by itself. @param requester undefined ends the gathering */
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
 * Locks an organisation until the transaction ends, so that its imports are settled one by one. It needs no rights on
 * the row.
 */
export const lockOrganisation = async (connection: Connection, id: OrganisationId): Promise<void> => {
  await connection.execute("select pg_advisory_xact_lock(hashtextextended($1, 0))", [`imports/${id}`]);
};

export const readOrganisation = (
  connection: Connection,
  id: OrganisationId,
): Promise<Organisation | undefined> => organisations.one(connection, { id });
