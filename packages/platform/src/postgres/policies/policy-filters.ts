import type { OrganisationId } from "@conclave/custody";
import { z } from "zod";
import type { Connection } from "../database.ts";
import { wallets } from "../keys/wallets.ts";

const { columns: w } = wallets;

/** The table of the records that a filter may name, with a condition that selects the rows that the API ever showed. */
const SHOWN = {
  walletId: "wallets t where t.status in ('Active', 'Archived')",
  policyId: "policies t where true",
  permissionId: "permissions t where true",
} as const;

/** The kinds of records that policy filters name by id. */
export type FilteredKind = keyof typeof SHOWN;

/** Returns the ids that the organisation has never had; it still has archived records. */
export const readUnknownFiltered = async (
  connection: Connection,
  orgId: OrganisationId,
  kind: FilteredKind,
  ids: readonly string[],
): Promise<readonly string[]> => {
  if (ids.length === 0) return [];
  const unknown = await connection.rows(
    z.object({ id: z.string() }),
    `select distinct asked.id from unnest($2::text[]) asked(id)
     where not exists (select 1 from ${SHOWN[kind]} and t.${w.orgId} = $1 and t.id = asked.id)`,
    [orgId, ids],
  );
  return unknown.map(({ id }) => id);
};
