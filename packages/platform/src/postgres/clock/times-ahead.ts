import { RETRY_AFTER_MS } from "@conclave/custody";
import type { Connection } from "../database.ts";
import { DUE_SUBJECT } from "../due-requests/due-request.ts";
import { DUE_AGAIN_MS_MAX } from "../due-requests/release.ts";
import { DELIVERIES_SUBJECT } from "../webhooks/webhook-deliveries.ts";

/** The longest leases of requests, presignatures and deliveries, in milliseconds; no row may have a longer one. */
export interface LeaseTimes {
  readonly requestMs: number;
  readonly presignatureMs: number;
  readonly deliveryMs: number;
}

const INTERVAL = (milliseconds: string): string => `make_interval(secs => ${milliseconds} / 1000.0)`;

/**
 * A free request becomes due at once; a held one stays with its holder for one lease, which is time enough to extend it.
 * The comparison with the shorter of the two bounds lets PostgreSQL find the few rows by the index of due times.
 */
const REQUESTS = `
  with far as (
    select id, now() + case when token is null then interval '0' else ${INTERVAL("$1")} end as until from due_requests
     where is_head and parked_at is null
       and due_at > now() + least(${INTERVAL("$1")}, ${INTERVAL("$2")})
       and due_at > now() + case when token is null then ${INTERVAL("$2")} else ${INTERVAL("$1")} end
     for update skip locked)
  update due_requests due set due_at = far.until, held_since = least(due.held_since, now()) from far where due.id = far.id`;

const PRESIGNATURES = `
  update presignature_leases set until = now() + ${INTERVAL("$1")} where until > now() + ${INTERVAL("$1")}`;

/** The number of earlier attempts determines the longest pause before the next one. */
const DELIVERIES = `
  with far as (
    select id from webhook_deliveries
     where date_leased > now() + ${INTERVAL("$1")}
        or date_due > now() + ${INTERVAL("coalesce(($2::bigint[])[attempts], 0)")}
     for update skip locked)
  update webhook_deliveries d
     set date_leased = least(date_leased, now() + ${INTERVAL("$1")}),
         date_due = least(date_due, now() + ${INTERVAL("coalesce(($2::bigint[])[attempts], 0)")})
    from far where d.id = far.id`;

/**
 * Shortens the waits that statements date by the server's own clock: a time that is further ahead than any pause or lease
 * is moved nearer, because it would come too late. Held rows stay held for one lease. It reads only rows that are ahead,
 * so that it may be asked for again and again.
 *
 * @returns how many requests and leases of presignatures were changed
 * @throws Outage
 */
export const drawInServerTimes = async (
  connection: Pick<Connection, "execute" | "announce">,
  { requestMs, presignatureMs }: Pick<LeaseTimes, "requestMs" | "presignatureMs">,
): Promise<number> => {
  const requests = await connection.execute(REQUESTS, [requestMs, DUE_AGAIN_MS_MAX]);
  const presignatures = await connection.execute(PRESIGNATURES, [presignatureMs]);
  if (requests > 0) connection.announce(DUE_SUBJECT);
  return requests + presignatures;
};

/**
 * Shortens all waits after the database's clock was set back, or may have been: also those of deliveries, which
 * orchestrators date by the clock that they measured. It reads every delivery.
 *
 * @returns how many requests, leases of presignatures and deliveries were changed
 * @throws Outage
 */
export const drawInTimes = async (
  connection: Pick<Connection, "execute" | "announce">,
  leases: LeaseTimes,
): Promise<number> => {
  const ofServer = await drawInServerTimes(connection, leases);
  const deliveries = await connection.execute(DELIVERIES, [leases.deliveryMs, [...RETRY_AFTER_MS]]);
  if (deliveries > 0) connection.announce(DELIVERIES_SUBJECT);
  return ofServer + deliveries;
};
