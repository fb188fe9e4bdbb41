import { z } from "zod";
import type { Connection } from "./database.ts";

/** How long a lapsed lease stays in the table, in milliseconds; it has no effect. */
const REMEMBERED_MS = 60 * 60_000;

const claimedSchema = z.object({ id: z.string() }).transform(({ id }) => id);
const othersSchema = z.object({ others: z.number() });

/** The outcome of a claim. */
export interface ClaimedPresignatures {
  /** those of the requested ids that are leased to the holder alone until the lease ends */
  readonly granted: readonly string[];
  /** number of other holders whose leases have not lapsed */
  readonly otherHolders: number;
}

/** The presignatures that an orchestrator claims, and the lease that it asks for. */
export interface PresignatureClaim {
  /** a UUID that no other process has */
  readonly holder: string;
  /** ids of presignatures, the preferred ones first */
  readonly ids: readonly string[];
  /** most leases to grant */
  readonly most: number;
  /** length of the lease, in milliseconds */
  readonly leaseMs: number;
}

/**
 * Leases presignatures to one orchestrator: those without a lease, its own, and those whose lease has lapsed. One
 * statement writes and one reads. All times are the database's; the lease begins when the statement runs, not when it
 * is sent.
 *
 * @throws Outage
 */
export const claimPresignatures = async (
  connection: Pick<Connection, "rows">,
  { holder, ids, most, leaseMs }: PresignatureClaim,
): Promise<ClaimedPresignatures> => {
  // in a fixed order, so that two claims cannot deadlock; presignatures that another claim took meanwhile are not
  // granted
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

/** Ends leases at once: of a process that ends, and of presignatures that no longer exist. */
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

/** Deletes leases that lapsed long ago. @returns how many */
export const forgetLapsedLeases = (connection: Pick<Connection, "execute">): Promise<number> =>
  connection.execute("delete from presignature_leases where until < now() - $1 * interval '1 millisecond'", [
    REMEMBERED_MS,
  ]);
