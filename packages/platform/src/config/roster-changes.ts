import { MOST_CLUSTER_SIGNERS } from "@conclave/custody";
import { z } from "zod";

/** More changes than a cluster ever has: the identities of each time are kept. */
export const ROSTER_CHANGES_MAX = 128;

const index = z.int().min(1).max(MOST_CLUSTER_SIGNERS);

/** Why a signer is in the cluster no more. */
const removalSchema = z.discriminatedUnion("why", [
  /** it gave its shares up: it took part until no key needed it */
  z.strictObject({ why: z.literal("left") }),
  /** its operator lost it for good */
  z.strictObject({ why: z.literal("lost") }),
  /** evidence that verifies by the roster of before stands against it */
  z.strictObject({
    why: z.literal("cheated"),
    /** SHA-256 of the evidence, lower-case hex */
    evidence: z.string().regex(/^[0-9a-f]{64}$/),
  }),
]);
export type RemovalReason = Readonly<z.infer<typeof removalSchema>>;

const removedSchema = z.strictObject({
  index,
  id: z.string().regex(/^[a-z0-9-]{1,64}$/),
  /** Ed25519, lower-case hex: by it the evidence and attestations of its time verify */
  identityKey: z.string().regex(/^[0-9a-f]{64}$/, "is not 32 bytes of lower-case hex"),
  reason: removalSchema,
});

/** A change of the members or of the threshold, as the roster keeps it. */
const rosterChangeSchema = z.strictObject({
  /** how many identities had been renewed before it: the two lists make one history */
  renewals: z.int().nonnegative(),
  /** t until then */
  threshold: z.int().min(2).max(MOST_CLUSTER_SIGNERS),
  /** indices that came, ascending: an index is never given twice */
  added: z.array(index).max(MOST_CLUSTER_SIGNERS),
  removed: z.array(removedSchema).max(MOST_CLUSTER_SIGNERS),
  /** ISO 8601 UTC, by the clock of the command */
  date: z.iso.datetime(),
  /** of the authority's key over the bytes of roster-history.ts, lower-case hex */
  signature: z.string().regex(/^[0-9a-f]{128}$/, "is not 64 bytes of lower-case hex"),
});
export const rosterChangesSchema = z.array(rosterChangeSchema).max(ROSTER_CHANGES_MAX);
export type RosterChange = Readonly<z.infer<typeof rosterChangeSchema>>;

/** A change that is under way: keys are moved to the signers that stay. */
export const changeUnderWaySchema = z.strictObject({
  /** the lowest t of a key that may not have been moved yet */
  threshold: z.int().min(2).max(MOST_CLUSTER_SIGNERS),
  /** indices of the signers that hold shares of such keys and get no new ones, ascending */
  leaving: z.array(index).max(MOST_CLUSTER_SIGNERS),
  /** how many changes there were before the one that began it; absent: it is the last one */
  since: z.int().nonnegative().optional(),
});
