import { fail, type Result } from "@conclave/custody";
import type { CommitOutcome } from "@conclave/platform";

/** Limit on attempts: each conflict means that another writer was faster, so this many in a row need as many faster writers. */
const TRIES = 16;

/** A change of rows that were read. */
interface Change<Seen, Changed> {
  /** decides from the rows, and commits */
  readonly commit: (seen: Seen) => Promise<CommitOutcome<Changed>>;
  readonly read: () => Promise<Seen | undefined>;
}

/**
 * Commits a change at the versions that were read. If another writer was faster, the rows are read and the change is
 * decided again. A refusal counts only for rows that were just read, as older ones may have changed so that the change
 * now fits.
 * @param seen undefined: it is read first
 * @returns the result of the change; or why the change does not fit the current rows; or NotFound
 * @throws Outage, with the problem OutcomeUnknown when the rows may have been changed; Error when others were faster
 * each time
 */
export const commitAnew = async <Seen, Changed>(
  seen: Seen | undefined,
  change: Change<Seen, Changed>,
): Promise<Result<Changed>> => {
  let isFresh = seen === undefined;
  let current = seen ?? (await change.read());
  for (let tries = 0; tries < TRIES; tries += 1) {
    if (current === undefined) return fail("NotFound");
    const outcome: CommitOutcome<Changed> = await change.commit(current);
    switch (outcome.kind) {
      case "committed":
        return { ok: true, value: outcome.changed };
      case "unknown":
        throw outcome.outage;
      case "refused":
        if (isFresh) return { ok: false, problem: outcome.problem };
        break;
      case "conflict":
        break;
    }
    current = await change.read();
    isFresh = true;
  }
  throw new Error(`others changed it each of ${TRIES} times that it was read`);
};
