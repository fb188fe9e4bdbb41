import {
  ADDRESS_WATCH_STATUSES,
  type AddressWatch,
  type AddressWatchId,
  addressWatchIdSchema,
  type Network,
  networkSchema,
  type OrganisationId,
  organisationIdSchema,
} from "@conclave/custody";
import { z } from "zod";
import { date, optional } from "../columns.ts";
import type { Connection, Listed } from "../database.ts";
import type { Page } from "../page.ts";
import { plainTable } from "../table/table.ts";

export const addressWatches = plainTable(
  "address_watches",
  {
    id: addressWatchIdSchema,
    orgId: organisationIdSchema,
    network: networkSchema,
    address: z.string(),
    name: optional(z.string()),
    externalId: optional(z.string()),
    status: z.enum(ADDRESS_WATCH_STATUSES),
    dateCreated: date,
    dateActivated: date,
    dateDeleted: optional(date),
  },
  { changing: ["status", "dateActivated", "dateDeleted"] },
);
const { columns: a } = addressWatches;

/** Makes other changes of the organisation's watches wait until the transaction ends. */
export const lockAddressWatches = async (connection: Connection, orgId: OrganisationId): Promise<void> => {
  await connection.execute("select pg_advisory_xact_lock(hashtextextended($1, 0))", [
    `address watches of ${orgId}`,
  ]);
};

/** Counts the addresses that an organisation watches now. */
export const countAddressWatches = async (connection: Connection, orgId: OrganisationId): Promise<number> => {
  const [found] = await connection.rows(
    z.object({ count: z.int() }),
    `select count(*)::int as count from address_watches where ${a.orgId} = $1 and status = 'Active'`,
    [orgId],
  );
  return found?.count ?? 0;
};

export const insertAddressWatch = async (connection: Connection, watch: AddressWatch): Promise<void> => {
  await addressWatches.insert(connection, watch);
};

/** Writes the columns of a watch that can change. */
export const updateAddressWatch = async (connection: Connection, watch: AddressWatch): Promise<void> => {
  if (!(await addressWatches.update(connection, watch)))
    throw new Error(`${watch.id} is not there to be updated`);
};

/** A watch of an organisation (INV-11), archived ones included. */
export const readAddressWatch = (
  connection: Connection,
  orgId: OrganisationId,
  id: AddressWatchId,
): Promise<AddressWatch | undefined> => addressWatches.one(connection, { id, orgId });

/** The watch of an address, archived ones included. @param address as the network's node names it */
export const findAddressWatch = (
  connection: Connection,
  { orgId, network, address }: Pick<AddressWatch, "orgId" | "network" | "address">,
): Promise<AddressWatch | undefined> => addressWatches.one(connection, { orgId, network, address });

/** Lists the watches of an organisation, archived ones included, newest first. */
export const listAddressWatches = (
  connection: Connection,
  orgId: OrganisationId,
  page: Page,
): Promise<Listed<AddressWatch>> => addressWatches.page(connection, `${a.orgId} = $1`, [orgId], page);

const watcher = z.object({
  addressWatchId: addressWatchIdSchema,
  orgId: organisationIdSchema,
  address: z.string(),
});
/** A watch of an address that a movement touched. */
export type Watcher = Readonly<z.output<typeof watcher>>;

/**
 * The active watches of these addresses of a network, as its node names them. A watch whose id or organisation cannot
 * be read is left out and reported, so that it does not block the blocks of others.
 */
export const watchesAt = (
  connection: Connection,
  network: Network,
  addresses: readonly string[],
): Promise<readonly Watcher[]> =>
  connection.listed(
    watcher,
    `select a.id as "addressWatchId", a.${a.orgId} as "orgId", a.address from address_watches a
     where a.network = $1 and a.address = any($2::text[]) and a.status = 'Active' order by a.id`,
    [network, addresses],
  );

/** Whether anybody watches an address of the network now. */
export const hasAddressWatches = async (connection: Connection, network: Network): Promise<boolean> => {
  const [found] = await connection.rows(
    z.object({ found: z.boolean() }),
    "select exists (select from address_watches where network = $1 and status = 'Active') as found",
    [network],
  );
  return found?.found === true;
};
