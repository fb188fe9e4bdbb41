import type { ChainRequest, World } from "@conclave/custody";
import { type Database, type Logger, markRecords, type PutMark } from "@conclave/platform";
import { recordsPutBack } from "../log/log-events.ts";

/** How often the records are marked, whether anybody asks or not. */
export const MARKED_EVERY_MS = 5_000;

/** By so much may the clocks of a chain, a gateway and an orchestrator differ. */
export const SKEW_MS = 120_000;

/** Unix ms: when a request was authorised. */
export const authorisedMsOf = ({ datePolicyResolved, dateRequested }: ChainRequest): number =>
  Date.parse(datePolicyResolved ?? dateRequested);

/** Whether nobody can have put the records back since a request was authorised: then they know what became of it. */
export const areKept = async (
  { records }: { readonly records?: Pick<KeptRecords, "since"> | undefined },
  request: ChainRequest,
): Promise<boolean> => records !== undefined && authorisedMsOf(request) - SKEW_MS > (await records.since());

/** Since when a process knows that nobody put the records back. */
export interface Kept {
  readonly mark: bigint;
  /** Unix ms */
  readonly sinceMs: number;
}

/**
 * The process's knowledge once it has put another mark. A mark that does not rise was put on records of an earlier moment.
 * @param nowMs the later of the process's time and the database's: requests that either of them dates later were accepted since
 */
export const keptAfter = (known: Kept | undefined, { mark }: PutMark, nowMs: number): Kept =>
  known !== undefined && mark > known.mark ? { mark, sinceMs: known.sinceMs } : { mark, sinceMs: nowMs };

interface KeptRecordsParts {
  readonly database: Pick<Database, "rows">;
  readonly world: Pick<World, "nowMs" | "freshUuid">;
  readonly logger: Pick<Logger, "error">;
}

/**
 * Notices that the records were put back to an earlier moment while this process runs, by marks that only rise. A process that starts knows
 * nothing of before.
 */
export class KeptRecords {
  readonly #parts: KeptRecordsParts;
  readonly #process: string;
  #known: Kept | undefined;
  /** one mark after the other: an answer that is overtaken would seem to go back */
  #turn: Promise<unknown> = Promise.resolve();

  constructor(parts: KeptRecordsParts) {
    this.#parts = parts;
    this.#process = parts.world.freshUuid();
  }

  /**
   * Puts a mark.
   * @returns the moment since which nobody put the records back, up to now; Unix ms
   * @throws Outage while the database does not answer
   */
  since(): Promise<number> {
    const since = this.#turn.then(() => this.#mark());
    this.#turn = since.catch(() => undefined);
    return since;
  }

  async #mark(): Promise<number> {
    const { database, world, logger } = this.#parts;
    const put = await markRecords(database, this.#process);
    const known = this.#known;
    const next = keptAfter(known, put, Math.max(put.nowMs, world.nowMs()));
    this.#known = next;
    if (known !== undefined && next.sinceMs !== known.sinceMs) {
      recordsPutBack(logger, { mark: put.mark, before: known.mark });
    }
    return next.sinceMs;
  }
}
