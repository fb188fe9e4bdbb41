import type { SessionKey } from "@conclave/cluster";

/** One check of a session: its worker, and its verdict once there is one. */
interface Given<Holder> {
  readonly holder: Holder;
  verdict: Uint8Array | undefined;
}

/** Records which worker holds which check of which session, until all checks of the session have verdicts. */
export class SpreadChecks<Holder> {
  readonly #given = new Map<SessionKey, Given<Holder>[]>();

  /** Records that a holder has the session's next check. */
  add(session: SessionKey, holder: Holder): void {
    const jobs = this.#given.get(session) ?? [];
    jobs.push({ holder, verdict: undefined });
    this.#given.set(session, jobs);
  }

  /**
   * Records the verdict of one check.
   *
   * @param at the check's position
   * @returns after the session's last verdict: all its verdicts, in order; its checks are then removed
   */
  take(session: SessionKey, at: number, verdict: Uint8Array): readonly Uint8Array[] | undefined {
    const jobs = this.#given.get(session);
    const job = jobs?.[at];
    if (jobs === undefined || job === undefined) return undefined; // the session is over
    job.verdict = verdict;
    const verdicts = jobs.flatMap((one) => one.verdict ?? []);
    if (verdicts.length < jobs.length) return undefined;
    this.#given.delete(session);
    return verdicts;
  }

  /** Removes a session, and returns the holders that still have checks of it. */
  drop(session: SessionKey): readonly Holder[] {
    const jobs = this.#given.get(session) ?? [];
    this.#given.delete(session);
    return jobs.filter(isOpen).map(({ holder }) => holder);
  }

  /** Whether the session waits for verdicts. */
  has(session: SessionKey): boolean {
    return this.#given.has(session);
  }

  /** The sessions that wait for a verdict of this holder. */
  sessionsAt(holder: Holder): readonly SessionKey[] {
    return [...this.#given]
      .filter(([, jobs]) => jobs.some((job) => isOpen(job) && job.holder === holder))
      .map(([session]) => session);
  }

  /** The number of checks that this holder has not finished. */
  openAt(holder: Holder): number {
    return [...this.#given.values()].flat().filter((job) => isOpen(job) && job.holder === holder).length;
  }
}

const isOpen = ({ verdict }: Given<unknown>): boolean => verdict === undefined;
