import { z } from "zod";
import type { Connection } from "./database.ts";

/** How long a lapsed lease stays on record, in milliseconds: it is as good as none. */
const REMEMBERED_MS = 60 * 60_000;

const claimedSchema = z.object({ id: z.string() }).transform(({ id }) => id);
const othersSchema = z.object({ others: z.number() });

/** The outcome of a claim. */
export interface ClaimedPresignatures {
  /** of the ids that were asked for, those that are the holder's alone until the lease ends */
  readonly granted: readonly string[];
  /** other holders whose leases have not lapsed; a count */
  readonly otherHolders: number;
}

/** The presignatures that an orchestrator claims, and for how long. */
export interface PresignatureClaim {
  /** a UUID that no other process has */
  readonly holder: string;
  /** of presignatures, the preferred ones first */
  readonly ids: readonly string[];
  /** how many of them at the most */
  readonly most: number;
  /** how long, in milliseconds */
  readonly leaseMs: number;
}

/**
 * Leases presignatures to one orchestrator: those that are nobody's, its own again, and others' whose lease has lapsed. One
 * statement, and one that reads. Time is the database's alone; the lease begins when the statement does, not before it is sent.
 *
 * @throws Outage
 */
export const claimPresignatures = async (
  connection: Pick<Connection, "rows">,
  { holder, ids, most, leaseMs }: PresignatureClaim,
): Promise<ClaimedPresignatures> => {
  // in one order, so that two claims never wait for each other; what another took meanwhile is not granted
  const granted = await connection.rows(
    claimedSchema,
    `with free as (
       select asked.id from unnest($2::text[]) with ordinality as asked (id, place)
       left join presignature_leases as lease on lease.id = asked.id
       where lease.id is null or lease.holder = $1 or lease.until < now()
       order by asked.place limit $4)
     insert into presignature_leases as known (id, holder, until)
     select id, $1, now() + $3 * interval '1 millisecond' from free order by id
     on conflict (id) do update set holder = excluded.holder, until = excluded.until
       where known.holder = excluded.holder or known.until < now()
     returning id`,
    [holder, [...new Set(ids)], leaseMs, most],
  );
  const [row] = await connection.rows(
    othersSchema,
    `select count(distinct holder)::int as others from presignature_leases
     where holder <> $1 and until >= now()`,
    [holder],
  );
  return { granted, otherHolders: row?.others ?? 0 };
};

/** Gives leases back at once: those of a process that ends, and of presignatures that are no more. */
export const releasePresignatures = async (
  connection: Pick<Connection, "execute">,
  holder: string,
  ids: readonly string[],
): Promise<void> => {
  await connection.execute("delete from presignature_leases where holder = $1 and id = any($2::text[])", [
    holder,
    ids,
  ]);
};

/** Deletes what lapsed long ago. @returns how many leases */
export const forgetLapsedLeases = (connection: Pick<Connection, "execute">): Promise<number> =>
  connection.execute("delete from presignature_leases where until < now() - $1 * interval '1 millisecond'", [
    REMEMBERED_MS,
  ]);
