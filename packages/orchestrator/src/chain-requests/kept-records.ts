import type { ChainRequest, World } from "@conclave/custody";
import { type Database, type Logger, markRecords, type PutMark } from "@conclave/platform";
import { recordsPutBack } from "../log/log-events.ts";

/** How often the records are marked, even without a question. */
export const MARKED_EVERY_MS = 5_000;

/** How much the clocks of a chain, a gateway and an orchestrator may differ. */
export const SKEW_MS = 120_000;

/** Unix milliseconds: when a request was authorised. */
export const authorisedMsOf = ({ datePolicyResolved, dateRequested }: ChainRequest): number =>
  Date.parse(datePolicyResolved ?? dateRequested);

/** Whether the records certainly were not restored since a request was authorised, so that they are complete for it. */
export const areKept = async (
  { records }: { readonly records?: Pick<KeptRecords, "since"> | undefined },
  request: ChainRequest,
): Promise<boolean> => records !== undefined && authorisedMsOf(request) - SKEW_MS > (await records.since());

/** Since when a process knows that the records were not restored. */
export interface Kept {
  readonly mark: bigint;
  /** Unix milliseconds */
  readonly sinceMs: number;
}

/**
 * The process's knowledge after it has put another mark. A mark that is not higher than the last one shows that the
 * records were restored to an earlier moment.
 * @param nowMs the later of the process's time and the database's: requests that both date later were accepted since
 */
export const keptAfter = (known: Kept | undefined, { mark }: PutMark, nowMs: number): Kept =>
  known !== undefined && mark > known.mark ? { mark, sinceMs: known.sinceMs } : { mark, sinceMs: nowMs };

interface KeptRecordsParts {
  readonly database: Pick<Database, "rows">;
  readonly world: Pick<World, "nowMs" | "freshUuid">;
  readonly logger: Pick<Logger, "error">;
}

/**
 * Notices when the records are restored to an earlier moment while this process runs, by marks that only rise. A
 * process that starts knows nothing of earlier times.
 */
export class KeptRecords {
  readonly #parts: KeptRecordsParts;
  readonly #process: string;
  #known: Kept | undefined;
  /** marks are put one after another: if answers overtook each other, a mark would seem to go back */
  #turn: Promise<unknown> = Promise.resolve();

  constructor(parts: KeptRecordsParts) {
    this.#parts = parts;
    this.#process = parts.world.freshUuid();
  }

  /**
   * Puts a mark.
   * @returns Unix milliseconds: the records were not restored between then and now
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
