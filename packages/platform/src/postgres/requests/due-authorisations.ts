import type { SignedAuthorisation } from "@conclave/custody";
import { z } from "zod";
import { bytes, date } from "../columns.ts";
import type { Connection } from "../database.ts";

/**
 * What is authorised and still wanted, by table: work that has not come to its end, not signed, not taken back by its owner.
 * What was signed before is wanted again by the authority's word alone that it is dead.
 * Signers act on none of it for long, so the gateway signs it anew.
 */
const WANTED = {
  chain_requests: {
    date: "coalesce(date_authorised, date_requested)",
    condition: `status in ('Pending', 'Executing') and authorisation is not null and signed_transaction is null
       and date_aborted is null
       and (dead_transactions = 0 or exists (
         select from death_statements s where s.request_id = chain_requests.id
           and s.transactions = chain_requests.dead_transactions and s.statement is not null))`,
    // held back until signers forget what it replaces, it could land beside that (INV-4); nobody asked for it
    isStale: "is_fee_bump and date_requested < now() - interval '30 days'",
  },
  signatures: {
    date: "coalesce(date_authorised, date_requested)",
    condition: "status in ('Pending', 'Executing') and authorisation is not null",
    isStale: "false",
  },
  keys: {
    date: "coalesce(date_authorised, date_created)",
    condition: "status = 'Creating'",
    isStale: "false",
  },
} as const;
export type AuthorisedTable = keyof typeof WANTED;
export const AUTHORISED_TABLES: readonly AuthorisedTable[] = ["chain_requests", "signatures", "keys"];

/** An authorisation that is wanted and not of a moment ago. */
export interface DueAuthorisation {
  /** of the request or the key */
  readonly id: string;
  readonly authorisation: SignedAuthorisation;
  /** when the authority signed it, ISO 8601 UTC */
  readonly date: string;
  /** whether it is too old to be signed anew: it ends */
  readonly isStale: boolean;
}

const dueSchema = z
  .object({
    id: z.string(),
    authorisation: bytes,
    authorisation_signature: bytes,
    date,
    is_stale: z.boolean(),
  })
  .transform(
    (row): DueAuthorisation => ({
      id: row.id,
      authorisation: { payload: row.authorisation, signature: row.authorisation_signature },
      date: row.date,
      isStale: row.is_stale,
    }),
  );

/** When an authorisation is due: signed before the one date, or after the other, as by a clock that was wrong. ISO 8601 UTC. */
export interface Due {
  readonly before: string;
  readonly after: string;
}

/**
 * Reads authorisations that are due, ordered by id, from after an id on, that nobody else holds, and locks their rows until the
 * transaction ends.
 */
export const takeDueAuthorisations = (
  connection: Connection,
  table: AuthorisedTable,
  due: Due,
  afterId: string,
  limit: number,
): Promise<readonly DueAuthorisation[]> => {
  const { date: dateSigned, condition, isStale } = WANTED[table];
  return connection.rows(
    dueSchema,
    `select id, authorisation, authorisation_signature, ${dateSigned} as date, ${isStale} as is_stale
     from ${table}
     where ${condition} and (${dateSigned} < $1 or ${dateSigned} > $2) and id > $3
     order by id limit $4 for update skip locked`,
    [due.before, due.after, afterId, limit],
  );
};

/** Puts an authorisation that was signed anew in the place of the one before. @param date when, ISO 8601 UTC */
export const renewAuthorisation = async (
  connection: Connection,
  table: AuthorisedTable,
  { id, authorisation }: Pick<DueAuthorisation, "id" | "authorisation">,
  date: string,
): Promise<void> => {
  await connection.execute(
    `update ${table} set authorisation = $2, authorisation_signature = $3, date_authorised = $4 where id = $1`,
    [id, authorisation.payload, authorisation.signature, date],
  );
};
