import { type ChainRequestId, transactionIdSchema, transferIdSchema } from "@conclave/custody";
import { z } from "zod";
import { date } from "../columns.ts";
import type { Connection } from "../database.ts";

/** A request that waits, since its chain does not show whether it was carried out before the records were put back. */
export interface UnsureRequest {
  readonly id: ChainRequestId;
  readonly walletId: string;
  readonly network: string;
  /** the body of the client's request */
  readonly requestBody: unknown;
  /** ISO 8601 UTC, when this was first so */
  readonly since: string;
  readonly why: string;
}

const unsureSchema = z
  .object({
    id: z.union([transferIdSchema, transactionIdSchema]),
    wallet_id: z.string(),
    network: z.string(),
    request_body: z.unknown(),
    since: date,
    why: z.string(),
  })
  .transform(
    ({ wallet_id: walletId, request_body: requestBody, ...row }): UnsureRequest => ({
      ...row,
      walletId,
      requestBody,
    }),
  );

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
export const IS_RULED_OUT = "ruled_out > now() - interval '1 hour'";

/** Whether an operator has ruled out, within the last hour, that a request was carried out. */
export const isRuledOut = async (
  connection: Pick<Connection, "rows">,
  id: ChainRequestId,
): Promise<boolean> => {
  const found = await connection.rows(
    z.object({ request_id: z.string() }),
    `select request_id from unsure_requests where request_id = $1 and ${IS_RULED_OUT}`,
    [id],
  );
  return found.length > 0;
};

const WAITS = `r.id = u.request_id and (u.ruled_out is null or not u.${IS_RULED_OUT})
  and r.status in ('Pending', 'Executing') and r.signed_transaction is null`;

/** Lists requests of which it is not known whether they were carried out, the oldest first. */
export const listUnsure = (connection: Connection, limit: number): Promise<readonly UnsureRequest[]> =>
  connection.listed(
    unsureSchema,
    `select r.id, r.wallet_id, r.network, r.request_body, u.since, u.why
     from unsure_requests u join chain_requests r on ${WAITS} order by u.since, r.id limit $1`,
    [limit],
  );

/**
 * Rules out that requests were carried out: they are built, and paid, if that begins within an hour. Call it with an operator's rights.
 * @returns the ids of those that waited for it
 */
export const ruleOut = (connection: Connection, ids: readonly string[]): Promise<readonly string[]> =>
  connection.listed(
    z.object({ request_id: z.string() }).transform((row) => row.request_id),
    `update unsure_requests u set ruled_out = now() from chain_requests r
     where u.request_id = any($1) and ${WAITS} returning u.request_id`,
    [ids],
  );
