import type { ChainRequestId } from "@conclave/custody";
import { z } from "zod";
import { date } from "../columns.ts";
import type { Connection } from "../database.ts";
import { listOf, selectionOf } from "../table/selection.ts";
import { chainRequests } from "./chain-requests.ts";

const { columns: r, shape } = chainRequests;

const ofRequest = {
  id: shape.id,
  walletId: z.string(),
  network: z.string(),
  /** the body of the client's request */
  requestBody: z.unknown(),
};
const ofDoubt = {
  /** ISO 8601 UTC, when the doubt began */
  since: date,
  why: z.string(),
};
const unsureSchema = z.object({ ...ofRequest, ...ofDoubt });

/** A request that waits because its chain does not show whether it was carried out before the records were restored. */
export type UnsureRequest = Readonly<z.output<typeof unsureSchema>>;

/** Records that it is unknown whether a request was carried out, and why. An operator's decision on it is not changed. */
export const noteUnsure = async (
  connection: Pick<Connection, "execute">,
  id: ChainRequestId,
  why: string,
): Promise<void> => {
  await connection.execute(
    `insert into unsure_requests (request_id, why) values ($1, $2)
     on conflict (request_id) do update set why = excluded.why where unsure_requests.why <> excluded.why`,
    [id, why],
  );
};

/**
 * An operator's decision is valid for an hour: it was made from the chain of that time, and if the records are restored
 * once more, the decision comes back with them and must not count again.
 */
const IS_RULED_OUT = "ruled_out > now() - interval '1 hour'";

/** Selects an operator's decision that the request of a chain_requests row was not carried out. */
export const RULED_OUT = `select from unsure_requests u where u.request_id = chain_requests.id and u.${IS_RULED_OUT}`;

/** Whether an operator has decided, within the last hour, that a request was not carried out. */
export const isRuledOut = async (
  connection: Pick<Connection, "rows">,
  id: ChainRequestId,
): Promise<boolean> => {
  const found = await connection.rows(
    z.unknown(),
    `select from unsure_requests where request_id = $1 and ${IS_RULED_OUT}`,
    [id],
  );
  return found.length > 0;
};

const WAITS = `r.id = u.request_id and (u.ruled_out is null or not u.${IS_RULED_OUT})
  and r.status in ('Pending', 'Executing') and r.${r.signedTransaction} is null`;

/** Lists requests of which it is unknown whether they were carried out, the oldest first. */
export const listUnsure = (connection: Connection, limit: number): Promise<readonly UnsureRequest[]> =>
  connection.listed(
    unsureSchema,
    `select ${listOf(ofRequest, "r")}, ${listOf(ofDoubt, "u")}
     from unsure_requests u join chain_requests r on ${WAITS} order by u.since, r.id limit $1`,
    [limit],
  );

const ruledOut = selectionOf({ requestId: z.string() }, "u");

/**
 * Records an operator's decision that requests were not carried out: they are built and paid, if that begins within an
 * hour. Call it with an operator's rights.
 *
 * @returns the ids of the requests that waited for it
 */
export const ruleOut = (connection: Connection, ids: readonly string[]): Promise<readonly string[]> =>
  connection.listed(
    ruledOut.row.transform(({ requestId }) => requestId),
    `update unsure_requests u set ruled_out = now() from chain_requests r
     where u.request_id = any($1) and ${WAITS} returning ${ruledOut.list}`,
    [ids],
  );
