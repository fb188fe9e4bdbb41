import { problem } from "@conclave/custody";
import type { Database } from "../database.ts";
import { OUTBOX_CHANNEL } from "../outbox.ts";

/**
 * When the message bus has a store that was never seen before, puts the request of every key, signature, transfer and
 * transaction that waits for an orchestrator into the outbox again: the new store has forgotten what the old one had acknowledged, and
 * nothing accepted may be lost (INV-5). A request that is taken up twice does no harm. Exports end
 * instead: a key does not leave when its client waits no longer.
 *
 * @param store the name of the store, from the bus
 * @returns how many messages it appended
 */
export const requeueForStore = (database: Database, store: string): Promise<number> =>
  database.transaction(async (connection) => {
    const added = await connection.execute(
      "insert into bus_stores (name, date_seen) values ($1, now()) on conflict do nothing",
      [store],
    );
    if (added === 0) return 0;
    const appended = await connection.execute(
      `insert into outbox (message_id, subject, payload, date_created)
       select 'request/' || id || '/' || $1, 'conclave.request.' || lower(kind),
              jsonb_build_object(lower(kind) || 'Id', id), now()
         from chain_requests where status in ('Pending', 'Executing') and authorisation is not null
       union all
       select 'request/' || id || '/' || $1, 'conclave.request.signature',
              jsonb_build_object('signatureId', id), now()
         from signatures where status in ('Pending', 'Executing') and authorisation is not null
       union all
       select 'request/' || id || '/' || $1, 'conclave.request.key',
              jsonb_build_object('keyId', id), now()
         from keys where status = 'Creating'`,
      [store],
    );
    await connection.execute(
      "update key_exports set status = 'Failed', problem = $1 where status = 'Pending'",
      [JSON.stringify(problem("KeyExportFailed", { reason: "the message bus lost the request" }))],
    );
    await connection.execute("select pg_notify($1, '')", [OUTBOX_CHANNEL]);
    return appended;
  });
