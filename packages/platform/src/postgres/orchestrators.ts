import { z } from "zod";
import type { Connection, Database } from "./database.ts";
import { DUE_SUBJECT, dueRequests } from "./due-requests/due-request.ts";

const { dueAt } = dueRequests.columns;

const LOCK = "orchestrator ";

const releasedSchema = z.object({ id: z.string() });

/**
 * Makes an orchestrator present while `stay` runs: the database server holds a lock for it, and releases it at once
 * when the process or its connection ends.
 *
 * @param id fresh random, a UUID
 * @param stay begins once the orchestrator is present; must end soon once `lost` aborts, because others may take over
 * its requests
 * @throws Outage if the database does not answer, or the lock was lost
 */
export const bePresent = async (
  database: Database,
  id: string,
  stay: (lost: AbortSignal) => Promise<void>,
): Promise<void> => {
  await database.exclusively(`${LOCK}${id}`, async (lost) => {
    await database.execute("insert into orchestrators (id) values ($1)", [id]);
    await stay(lost);
    if (!lost.aborted) await leave(database, id);
  });
};

/**
 * Makes requests that the orchestrator still holds due at once, as when it hangs: once its id is deleted,
 * `releaseOfGone` cannot find them.
 */
const leave = async (database: Database, id: string): Promise<void> => {
  const released = await database.execute(
    `with left_now as (delete from orchestrators where id = $1)
     update due_requests set ${dueAt} = now() where holder = $1 and token is not null and ${dueAt} > now()`,
    [id],
  );
  if (released > 0) database.announce(DUE_SUBJECT);
};

/**
 * Makes the requests of orchestrators that are gone due at once. Their presignatures stay leased until the leases end,
 * because a signer may still have to carry out their commands.
 *
 * @returns how many requests became due
 */
export const releaseOfGone = async (connection: Pick<Connection, "rows" | "announce">): Promise<number> => {
  const released = await connection.rows(
    releasedSchema,
    `with gone as materialized (
       select id from orchestrators where pg_try_advisory_xact_lock_shared(hashtextextended($1 || id::text, 0))),
     forgotten as (delete from orchestrators using gone where orchestrators.id = gone.id)
     update due_requests due set ${dueAt} = now()
       from gone where due.holder = gone.id and due.token is not null and due.${dueAt} > now()
     returning due.id`,
    [LOCK],
  );
  if (released.length > 0) connection.announce(DUE_SUBJECT);
  return released.length;
};
