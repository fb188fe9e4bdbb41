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
  /** ISO 8601 UTC, when this was first so */
  since: date,
  why: z.string(),
};
const unsureSchema = z.object({ ...ofRequest, ...ofDoubt });

/** A request that waits, since its chain does not show whether it was carried out before the records were put back. */
export type UnsureRequest = Readonly<z.output<typeof unsureSchema>>;

/** Notes that it is not known of a request whether it was carried out, and why. A request that an operator has ruled out stays so. */
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

/** The word of an operator is of the chain as it was then: records that go back once more bring it back, and must not have it count again. */
const IS_RULED_OUT = "ruled_out > now() - interval '1 hour'";

/** Selects the word of an operator on the request of a row of chain_requests. */
export const RULED_OUT = `select from unsure_requests u where u.request_id = chain_requests.id and u.${IS_RULED_OUT}`;

/** Whether an operator has ruled out, within the last hour, that a request was carried out. */
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

/** Lists requests of which it is not known whether they were carried out, the oldest first. */
export const listUnsure = (connection: Connection, limit: number): Promise<readonly UnsureRequest[]> =>
  connection.listed(
    unsureSchema,
    `select ${listOf(ofRequest, "r")}, ${listOf(ofDoubt, "u")}
     from unsure_requests u join chain_requests r on ${WAITS} order by u.since, r.id limit $1`,
    [limit],
  );

const ruledOut = selectionOf({ requestId: z.string() }, "u");

/**
 * Rules out that requests were carried out: they are built, and paid, if that begins within an hour. Call it with an operator's rights.
 * @returns the ids of those that waited for it
 */
export const ruleOut = (connection: Connection, ids: readonly string[]): Promise<readonly string[]> =>
  connection.listed(
    ruledOut.row.transform(({ requestId }) => requestId),
    `update unsure_requests u set ruled_out = now() from chain_requests r
     where u.request_id = any($1) and ${WAITS} returning ${ruledOut.list}`,
    [ids],
  );
