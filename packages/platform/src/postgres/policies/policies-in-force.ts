import type { ActivityKind, OrganisationId, Policy } from "@conclave/custody";
import { z } from "zod";
import type { Connection } from "../database.ts";
import { policies } from "./policies.ts";

/** Limit of the cached policies, in characters of their JSON. */
const REMEMBERED_MOST = 32 * 1024 * 1024;

interface Remembered {
  readonly policy: Policy;
  readonly size: number;
}

/** A cache of policies, by id and the digest of all their columns; the most recently used come last. */
class PolicyMemory {
  readonly #held = new Map<string, Remembered>();
  #size = 0;

  take(key: string): Policy | undefined {
    const found = this.#held.get(key);
    if (found === undefined) return undefined;
    this.#held.delete(key);
    this.#held.set(key, found);
    return found.policy;
  }

  hold(key: string, policy: Policy, size: number): void {
    if (this.#held.has(key)) return;
    this.#held.set(key, { policy, size });
    this.#size += size;
    for (const [oldest, { size: freed }] of this.#held) {
      if (this.#size <= REMEMBERED_MOST) return;
      this.#held.delete(oldest);
      this.#size -= freed;
    }
  }
}

const MEMORY = new PolicyMemory();

const { columns: p } = policies;
const DIGEST = `encode(sha256(convert_to(concat_ws(' ', id, ${p.orgId}, status, ${p.dateCreated}, ${p.dateUpdated}, body), 'UTF8')), 'hex')`;
const digestSchema = z.object({ id: z.string(), digest: z.string() });
const digestedSchema = z.intersection(
  digestSchema.extend({ size: z.number() }).transform(({ digest, size }) => ({ digest, size })),
  policies.row,
);

/**
 * Reads the policies in force for one kind of activity, oldest first. A list of thousands of addresses is parsed only
 * once per version of its policy: the first query reads the digests of all policies in force, the second only the
 * policies that are not cached.
 *
 * @throws UnreadableRow if a policy cannot be read: nothing may pass it (INV-8)
 */
export const readPoliciesInForce = async (
  connection: Connection,
  orgId: OrganisationId,
  activityKind: ActivityKind,
): Promise<readonly Policy[]> => {
  const digests = await connection.rows(
    digestSchema,
    `select id, ${DIGEST} as digest from policies
      where ${p.orgId} = $1 and body ->> 'activityKind' = $2 and status = 'Active'
      order by ${p.dateCreated}, id`,
    [orgId, activityKind],
  );
  const known = digests.map(({ id, digest }) => ({ id, policy: MEMORY.take(`${id} ${digest}`) }));
  const missing = known.filter(({ policy }) => policy === undefined).map(({ id }) => id);
  if (missing.length === 0) return known.flatMap(({ policy }) => policy ?? []);
  const read = await connection.rows(
    digestedSchema,
    `select ${policies.list}, ${DIGEST} as digest, length(body::text) as size
     from policies where ${p.orgId} = $1 and id = any($2::text[])`,
    [orgId, missing],
  );
  const fresh = new Map<string, Policy>();
  for (const { digest, size, ...policy } of read) {
    fresh.set(policy.id, policy);
    MEMORY.hold(`${policy.id} ${digest}`, policy, size);
  }
  return known.flatMap(({ id, policy }) => policy ?? fresh.get(id) ?? []);
};
