import type { OrganisationId } from "@conclave/custody";
import { z } from "zod";
import type { Connection } from "../database.ts";
import { wallets } from "../keys/wallets.ts";

const { columns: w } = wallets;

/** Where what a filter may name is kept, under one name of the organisation, and which rows of it the API ever showed. */
const SHOWN = {
  walletId: "wallets t where t.status in ('Active', 'Archived')",
  policyId: "policies t where true",
  permissionId: "permissions t where true",
} as const;

/** The kinds of records that filters of policies name by id. */
export type FilteredKind = keyof typeof SHOWN;

/** Returns those of the ids that the organisation has never had. Archived ones are there still. */
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
