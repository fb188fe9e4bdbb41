import { problem } from "@conclave/custody";
import type { Database } from "../database.ts";
import { OUTBOX_CHANNEL } from "../outbox.ts";

/**
 * If the message bus has a new store, appends the messages of all keys, signatures, transfers and transactions that wait for
 * an orchestrator to the outbox again. The new store lacks what the old one had acknowledged, and no accepted request may be lost
 * (INV-5). A request that is processed twice does no harm. Exports fail instead: a key must not be exported when its client no
 * longer waits.
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
