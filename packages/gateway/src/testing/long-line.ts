import type { Database } from "@conclave/platform";

const DIGITS = 15;

/** Copies a request under another id without a place, as two requests cannot hold one place. */
const COPY = `insert into chain_requests
  select (jsonb_populate_record(null::chain_requests, to_jsonb(r)
    || jsonb_build_object('id', $2::text, 'replaces_id', r.id, 'sequence', null))).*
  from chain_requests r where r.id = $1`;
const LEAVE = "update chain_requests set replacement_id = $2 where id = $1";
const TAKE = `update chain_requests taker set sequence = r.sequence from chain_requests r
  where r.id = $1 and taker.id = $2`;

/**
 * Adds replacements to a request's chain, as if people had sped it up each time: only rows, copied from the holder's.
 * @param holder a signed replacement that holds the place
 * @param times number of replacements
 * @returns the request that holds the place after that
 */
export const lengthenLine = (database: Database, holder: string, times: number): Promise<string> =>
  database.transaction(async (connection) => {
    let last = holder;
    for (let made = 1; made <= times; made += 1) {
      const id = `tx-${holder.slice(3, 14)}-${made.toString().padStart(DIGITS, "0")}`;
      for (const statement of [COPY, LEAVE, TAKE]) await connection.execute(statement, [last, id]);
      last = id;
    }
    return last;
  });
