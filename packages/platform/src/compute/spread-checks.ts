import type { SessionKey } from "@conclave/cluster";

/** One job of a session, and what it came to. */
interface Given<Holder> {
  readonly holder: Holder;
  verdict: Uint8Array | undefined;
}

/** Which worker holds which check of which session, until all checks of the session have their verdicts. */
export class SpreadChecks<Holder> {
  readonly #given = new Map<SessionKey, Given<Holder>[]>();

  /** Gives the session's next job to a holder. */
  add(session: SessionKey, holder: Holder): void {
    const jobs = this.#given.get(session) ?? [];
    jobs.push({ holder, verdict: undefined });
    this.#given.set(session, jobs);
  }

  /**
   * Takes the verdict of one job.
   *
   * @param at the job's place
   * @returns the verdicts of all jobs of the session, in their order, once this was the last; then they are forgotten
   */
  take(session: SessionKey, at: number, verdict: Uint8Array): readonly Uint8Array[] | undefined {
    const jobs = this.#given.get(session);
    const job = jobs?.[at];
    if (jobs === undefined || job === undefined) return undefined; // of a session that is over
    job.verdict = verdict;
    const verdicts = jobs.flatMap((one) => one.verdict ?? []);
    if (verdicts.length < jobs.length) return undefined;
    this.#given.delete(session);
    return verdicts;
  }

  /** Forgets a session; gives those who still hold checks of it. */
  drop(session: SessionKey): readonly Holder[] {
    const jobs = this.#given.get(session) ?? [];
    this.#given.delete(session);
    return jobs.filter(isOpen).map(({ holder }) => holder);
  }

  /** Whether a session waits for verdicts. */
  has(session: SessionKey): boolean {
    return this.#given.has(session);
  }

  /** The sessions that wait for a verdict of this holder. */
  sessionsAt(holder: Holder): readonly SessionKey[] {
    return [...this.#given]
      .filter(([, jobs]) => jobs.some((job) => isOpen(job) && job.holder === holder))
      .map(([session]) => session);
  }

  /** How many checks this holder has still to do. */
  openAt(holder: Holder): number {
    return [...this.#given.values()].flat().filter((job) => isOpen(job) && job.holder === holder).length;
  }
}

const isOpen = ({ verdict }: Given<unknown>): boolean => verdict === undefined;
