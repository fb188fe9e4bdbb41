import type { ChainRequestId, KeyId, SignatureId, SignedAuthorisation } from "@conclave/custody";
import { z } from "zod";
import { bytes, date } from "../columns.ts";
import type { Connection } from "../database.ts";
import { keys } from "../keys/keys.ts";
import { selectionOf } from "../table/selection.ts";
import { chainRequests } from "./chain-requests.ts";
import { STATED_DEAD } from "./dead-transactions.ts";
import { signatures } from "./signatures.ts";

const { columns: r } = chainRequests;

/**
 * By table, the authorised requests that still need a valid authorisation: not ended, not signed, and not aborted by
 * their owner. A request that was signed before needs one only after the authority's statement that its transactions
 * are dead. Signers accept an authorisation only for a limited time, so the gateway signs it anew.
 */
const WANTED = {
  chain_requests: {
    date: `coalesce(date_authorised, ${r.dateRequested})`,
    condition: `status in ('Pending', 'Executing') and authorisation is not null and ${r.signedTransaction} is null
       and ${r.dateAborted} is null and (${r.deadTransactions} = 0 or exists (${STATED_DEAD}))`,
    // such a fee bump could land in addition to what it replaces once signers have forgotten that (INV-4), and no
    // caller asked for it
    isStale: `${r.isFeeBump} and ${r.dateRequested} < now() - interval '30 days'`,
  },
  signatures: {
    date: `coalesce(date_authorised, ${signatures.columns.dateRequested})`,
    condition: "status in ('Pending', 'Executing') and authorisation is not null",
    isStale: "false",
  },
  keys: {
    date: `coalesce(date_authorised, ${keys.columns.dateCreated})`,
    condition: "status = 'Creating'",
    isStale: "false",
  },
} as const;
export type AuthorisedTable = keyof typeof WANTED;
export const AUTHORISED_TABLES: readonly AuthorisedTable[] = ["chain_requests", "signatures", "keys"];

/** A record that has an authorisation, and its table. */
export type AuthorisedRecord =
  | { readonly table: "chain_requests"; readonly id: ChainRequestId }
  | { readonly table: "signatures"; readonly id: SignatureId }
  | { readonly table: "keys"; readonly id: KeyId };

/** An authorisation that is still needed and was not signed just now. */
export type DueAuthorisation = AuthorisedRecord & {
  readonly authorisation: SignedAuthorisation;
  /** when the authority signed it, ISO 8601 UTC */
  readonly date: string;
  /** whether it is too old to be signed anew; the request then ends */
  readonly isStale: boolean;
};

const due = selectionOf({ authorisation: bytes, authorisationSignature: bytes });
const stated = { ...due.row.shape, date, isStale: z.boolean() };
const statedBy = (row: z.output<z.ZodObject<typeof stated>>) => ({
  authorisation: { payload: row.authorisation, signature: row.authorisationSignature },
  date: row.date,
  isStale: row.isStale,
});

const DUE: Readonly<Record<AuthorisedTable, z.ZodType<DueAuthorisation>>> = {
  chain_requests: z
    .object({ id: chainRequests.shape.id, ...stated })
    .transform((row) => ({ table: "chain_requests" as const, id: row.id, ...statedBy(row) })),
  signatures: z
    .object({ id: signatures.shape.id, ...stated })
    .transform((row) => ({ table: "signatures" as const, id: row.id, ...statedBy(row) })),
  keys: z
    .object({ id: keys.shape.id, ...stated })
    .transform((row) => ({ table: "keys" as const, id: row.id, ...statedBy(row) })),
};

/** An authorisation is due if it was signed before the one date, or after the other, as by a wrong clock. ISO 8601 UTC. */
export interface Due {
  readonly before: string;
  readonly after: string;
}

/** One page of due authorisations. */
export interface DueAuthorisations {
  /** without unreadable ones, which are reported */
  readonly found: readonly DueAuthorisation[];
  /** the id after which the next page begins; undefined at the end */
  readonly next: string | undefined;
}

const textSchema = z.object({ id: z.string() }).transform(({ id }) => id);

/**
 * Reads due authorisations that no other transaction holds, ordered by id, after the given id, and locks their rows
 * until this transaction ends.
 */
export const takeDueAuthorisations = async (
  connection: Connection,
  table: AuthorisedTable,
  { before, after }: Due,
  afterId: string,
  limit: number,
): Promise<DueAuthorisations> => {
  const { date: dateSigned, condition, isStale } = WANTED[table];
  const ids = await connection.rows(
    textSchema,
    `select id from ${table}
     where ${condition} and (${dateSigned} < $1 or ${dateSigned} > $2) and id > $3
     order by id limit $4 for update skip locked`,
    [before, after, afterId, limit],
  );
  const found = await connection.listed(
    DUE[table],
    `select id, ${due.list}, ${dateSigned} as date, ${isStale} as "isStale"
     from ${table} where id = any($1) order by id`,
    [ids],
  );
  return { found, next: ids.length < limit ? undefined : ids.at(-1) };
};

/** Replaces an authorisation by one that was signed anew. @param date of the new signature, ISO 8601 UTC */
export const renewAuthorisation = async (
  connection: Connection,
  { table, id }: AuthorisedRecord,
  authorisation: SignedAuthorisation,
  date: string,
): Promise<void> => {
  await connection.execute(
    `update ${table} set authorisation = $2, ${r.authorisationSignature} = $3, date_authorised = $4 where id = $1`,
    [id, authorisation.payload, authorisation.signature, date],
  );
};
