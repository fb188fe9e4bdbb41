import { z } from "zod";
import type { Connection } from "../database.ts";
import { dueRequests } from "./due-request.ts";

const { id, kind, lane, asked, attempts, failures } = dueRequests.shape;
const claimSchema = z.object({ id, kind, lane, token: z.string(), asked, attempt: attempts, failures });

/** A request that this process has claimed, until its lease ends. */
export type Claim = Readonly<z.output<typeof claimSchema>>;

const UNLIMITED = 2_147_483_647;

/** For each lane, how many requests may be claimed. */
export type Slots = ReadonlyMap<string, number>;

/**
 * Claims due requests: only heads of lines; in each lane one organisation after another, the least recently served
 * first. A request whose earlier claim's lease has ended is taken over. If two processes choose the same request, one
 * gets it.
 *
 * An organisation can make its requests slow on purpose, so `parts` keeps slots of a lane for the others: the requests
 * that the holder works on for one organisation, and those claimed now, do not exceed its part.
 *
 * @param token fresh random, a UUID
 * @param leaseMs after this time without `extendClaims` others may claim the requests
 * @param parts how many requests of a lane the holder may work on at a time for one organisation; any number if absent
 * @param holder the orchestrator that is present (`bePresent`): others may claim its requests at once when it is gone
 */
export const claimDue = (
  connection: Connection,
  slots: Slots,
  token: string,
  leaseMs: number,
  holder?: string,
  parts?: Slots,
): Promise<readonly Claim[]> =>
  connection.listed(
    claimSchema,
    `with free (lane, slots, part) as (select * from unnest($1::text[], $2::int[], $6::int[])),
     held as (
       select lane, org_id, count(*) as looks from due_requests
        where token is not null and due_at > now() and holder is not distinct from $5 group by lane, org_id),
     ranked as (
       select due.id, due.lane, free.slots, free.part, coalesce(held.looks, 0) as looks, due.due_at, turns.date_served,
              row_number() over (partition by due.lane, due.org_id order by due.due_at, due.seq) as turn
         from due_requests due
         join free on free.lane = due.lane
         left join held on held.lane = due.lane and held.org_id = due.org_id
         left join served_turns turns on turns.lane = due.lane and turns.org_id = due.org_id
        where due.is_head and due.parked_at is null and due.due_at <= now()),
     placed as (
       select id, slots, row_number() over (partition by lane order by turn, date_served nulls first, due_at) as place
         from ranked where turn + looks <= part),
     chosen as (
       select due.id from placed join due_requests due on due.id = placed.id
        where placed.place <= placed.slots and due.is_head and due.parked_at is null and due.due_at <= now()
        order by placed.place for update of due skip locked),
     taken as (
       update due_requests due
          set token = $3, holder = $5, held_since = now(), due_at = now() + make_interval(secs => $4 / 1000.0),
              attempts = attempts + 1, failures = failures + case when token is null then 0 else 1 end
         from chosen where due.id = chosen.id
       returning due.id, due.kind, due.lane, due.org_id, due.token::text, due.asked::text, due.attempts, due.failures),
     served as (
       insert into served_turns (lane, org_id, date_served)
       select distinct lane, org_id, now() from taken order by lane, org_id
       on conflict (lane, org_id) do update set date_served = excluded.date_served)
     select id, kind, lane, token, asked, attempts as attempt, failures from taken`,
    [
      [...slots.keys()],
      [...slots.values()],
      token,
      leaseMs,
      holder ?? null,
      [...slots.keys()].map((lane) => parts?.get(lane) ?? UNLIMITED),
    ],
  );

/**
 * Extends claims by another lease, so that no other process takes them over.
 *
 * @param longestMs a claim that is held for longer than this is not extended, because its holder may hang
 * @returns the claims that are still held
 */
export const extendClaims = async (
  connection: Connection,
  claims: readonly Claim[],
  leaseMs: number,
  longestMs: number,
): Promise<readonly Claim[]> => {
  const held = await connection.rows(
    z.object({ id: z.string(), token: z.string() }),
    `update due_requests due set due_at = now() + make_interval(secs => $3 / 1000.0)
       from unnest($1::text[], $2::uuid[]) as claim (id, token)
      where due.id = claim.id and due.token = claim.token
        and due.held_since > now() - make_interval(secs => $4 / 1000.0)
     returning due.id, due.token::text`,
    [claims.map(({ id }) => id), claims.map(({ token }) => token), leaseMs, longestMs],
  );
  const tokens = new Map(held.map(({ id, token }) => [id, token]));
  return claims.filter(({ id, token }) => tokens.get(id) === token);
};
