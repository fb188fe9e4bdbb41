import { RETRY_AFTER_MS } from "@conclave/custody";
import type { Connection } from "../database.ts";
import { DUE_SUBJECT } from "../due-requests/due-request.ts";
import { DUE_AGAIN_MS_MAX } from "../due-requests/release.ts";
import { DELIVERIES_SUBJECT } from "../webhooks/webhook-deliveries.ts";

/** How long what an orchestrator holds is its own, in milliseconds: no row may say more. */
export interface LeaseTimes {
  readonly requestMs: number;
  readonly presignatureMs: number;
  readonly deliveryMs: number;
}

const INTERVAL = (milliseconds: string): string => `make_interval(secs => ${milliseconds} / 1000.0)`;

/** Free requests are due; a held one stays with its holder for one lease, time enough to extend it. */
const REQUESTS = `
  with far as (
    select id, now() + case when token is null then interval '0' else ${INTERVAL("$1")} end as until from due_requests
     where is_head and parked_at is null
       and due_at > now() + case when token is null then ${INTERVAL("$2")} else ${INTERVAL("$1")} end
     for update skip locked)
  update due_requests due set due_at = far.until, held_since = least(due.held_since, now()) from far where due.id = far.id`;

const PRESIGNATURES = `
  update presignature_leases set until = now() + ${INTERVAL("$1")} where until > now() + ${INTERVAL("$1")}`;

/** The pause before an attempt is known by the number of those before it. */
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
 * The database's clock went back, or may have: times further ahead than any pause or lease are drawn in, so that nothing waits
 * for a time that was never to come so late. Held rows stay held for one lease.
 *
 * @returns how many requests, leases of presignatures and deliveries were drawn in
 * @throws Outage
 */
export const drawInTimes = async (
  connection: Pick<Connection, "execute" | "announce">,
  { requestMs, presignatureMs, deliveryMs }: LeaseTimes,
): Promise<number> => {
  const requests = await connection.execute(REQUESTS, [requestMs, DUE_AGAIN_MS_MAX]);
  const presignatures = await connection.execute(PRESIGNATURES, [presignatureMs]);
  const deliveries = await connection.execute(DELIVERIES, [deliveryMs, [...RETRY_AFTER_MS]]);
  if (requests > 0) connection.announce(DUE_SUBJECT);
  if (deliveries > 0) connection.announce(DELIVERIES_SUBJECT);
  return requests + presignatures + deliveries;
};
