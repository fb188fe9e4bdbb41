import { fail, type Result } from "@conclave/custody";
import type { CommitOutcome } from "@conclave/platform";

/** One whose row others change each time is changed under its lock in the end, where they wait. */
const TRIES_WITHOUT_LOCK = 3;

/** A change of one row. */
interface Change<Seen, Changed> {
  /** decides on the row as it was read, and commits */
  readonly commit: (seen: Seen) => Promise<CommitOutcome<Changed>>;
  readonly read: () => Promise<Seen | undefined>;
  /** decides and writes in a transaction that locks the row */
  readonly underLock: () => Promise<Result<Changed>>;
}

/**
 * Commits a change at the version that was read, in one round trip. Where somebody else was faster the row is read and the change decided
 * anew; a refusal counts only for a row that was read just now, since what was read long ago may have come to fit meanwhile.
 * @returns what the change made of the row; or why it does not fit it as it is now; or NotFound
 * @throws Outage, with the problem OutcomeUnknown when the row may have been changed
 */
export const commitAnew = async <Seen, Changed>(
  seen: Seen,
  change: Change<Seen, Changed>,
): Promise<Result<Changed>> => {
  let current: Seen | undefined = seen;
  for (let tries = 0; tries < TRIES_WITHOUT_LOCK; tries += 1) {
    if (current === undefined) return fail("NotFound");
    const outcome: CommitOutcome<Changed> = await change.commit(current);
    switch (outcome.kind) {
      case "committed":
        return { ok: true, value: outcome.changed };
      case "unknown":
        throw outcome.outage;
      case "takes-locks":
        return change.underLock();
      case "refused":
        if (tries > 0) return { ok: false, problem: outcome.problem };
        break;
      case "conflict":
        break;
    }
    current = await change.read();
  }
  return change.underLock();
};
