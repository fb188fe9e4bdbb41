import { MOST_CLUSTER_SIGNERS } from "@conclave/custody";
import { z } from "zod";

/** More changes than a cluster ever has. The number is bounded because the identities of every period are kept. */
export const ROSTER_CHANGES_MAX = 128;

const index = z.int().min(1).max(MOST_CLUSTER_SIGNERS);

/** Why a signer is no longer in the cluster. */
const removalSchema = z.discriminatedUnion("why", [
  /** it left in order: it held its shares until no key needed them */
  z.strictObject({ why: z.literal("left") }),
  /** its operator lost it for good */
  z.strictObject({ why: z.literal("lost") }),
  /** evidence against it verifies by the roster before the change */
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
  /** Ed25519, lower-case hex; verifies the evidence and attestations of its time */
  identityKey: z.string().regex(/^[0-9a-f]{64}$/, "is not 32 bytes of lower-case hex"),
  reason: removalSchema,
});

/** A change of the members or of the threshold, as the roster records it. */
const rosterChangeSchema = z.strictObject({
  /** how many identities had been renewed before it; this orders renewals and changes into one history */
  renewals: z.int().nonnegative(),
  /** t before the change */
  threshold: z.int().min(2).max(MOST_CLUSTER_SIGNERS),
  /** indices that joined, ascending: an index is never given twice */
  added: z.array(index).max(MOST_CLUSTER_SIGNERS),
  removed: z.array(removedSchema).max(MOST_CLUSTER_SIGNERS),
  /** ISO 8601 UTC, by the clock of the machine that ran the command */
  date: z.iso.datetime(),
  /** by the authority's key, over the bytes that roster-history.ts defines; lower-case hex */
  signature: z.string().regex(/^[0-9a-f]{128}$/, "is not 64 bytes of lower-case hex"),
});
export const rosterChangesSchema = z.array(rosterChangeSchema).max(ROSTER_CHANGES_MAX);
export type RosterChange = Readonly<z.infer<typeof rosterChangeSchema>>;

/** A change under way: its keys are being moved to the signers that stay. */
export const changeUnderWaySchema = z.strictObject({
  /** the lowest t of the keys that may not have been moved yet */
  threshold: z.int().min(2).max(MOST_CLUSTER_SIGNERS),
  /** indices of the signers that hold shares of such keys and get no new keys, ascending */
  leaving: z.array(index).max(MOST_CLUSTER_SIGNERS),
  /** how many changes came before the one that began it; if absent, the last change began it */
  since: z.int().nonnegative().optional(),
});
