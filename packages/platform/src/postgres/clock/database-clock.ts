import type { World } from "@conclave/custody";
import { z } from "zod";
import type { Connection } from "../database.ts";

const nowSchema = z.object({ now_ms: z.coerce.number() });

/** A measurement that took longer than this is too inexact and is ignored, unless it is the first one. */
const ANSWER_MS_MAX = 1_000;
/** If the two clocks drifted apart by less than this since the last measurement, nobody set them. */
const STEP_MS = 1_000;

/** The database's clock, as one measurement found it. */
export interface DatabaseTime {
  /**
   * how far the clock was set since the previous measurement, milliseconds, negative if it was set back; 0 for mere
   * drift; undefined for the first measurement
   */
  readonly setByMs: number | undefined;
}

/**
 * The clock of the database server, carried on between measurements by this machine's monotonic clock. Times in the
 * database are those of its own clock, whatever the clocks of the services show.
 */
export class DatabaseClock {
  readonly #world: Pick<World, "nowMs" | "monotonicMs">;
  /** Unix time of the database minus this machine's monotonic time */
  #offsetMs: number | undefined;

  constructor(world: Pick<World, "nowMs" | "monotonicMs">) {
    this.#world = world;
  }

  /**
   * Measures the database's time.
   *
   * @throws Outage if the database does not answer
   */
  async measure(connection: Pick<Connection, "rows">): Promise<DatabaseTime> {
    const askedMs = this.#world.monotonicMs();
    const [row] = await connection.rows(nowSchema, "select extract(epoch from now()) * 1000 as now_ms");
    const answeredMs = this.#world.monotonicMs();
    if (row === undefined) throw new Error("a select without a table has one row");
    const before = this.#offsetMs;
    if (before !== undefined && answeredMs - askedMs > ANSWER_MS_MAX) return { setByMs: 0 };
    const offsetMs = row.now_ms - (askedMs + answeredMs) / 2;
    this.#offsetMs = offsetMs;
    if (before === undefined) return { setByMs: undefined };
    return { setByMs: Math.abs(offsetMs - before) < STEP_MS ? 0 : Math.round(offsetMs - before) };
  }

  /** Unix milliseconds of the database, whole; by this machine's clock before the first measurement. */
  readonly nowMs = (): number =>
    this.#offsetMs === undefined
      ? this.#world.nowMs()
      : Math.floor(this.#world.monotonicMs() + this.#offsetMs);

  /** How far this machine's clock is ahead of the database's, milliseconds; negative if it is behind. */
  get aheadMs(): number {
    return this.#world.nowMs() - this.nowMs();
  }

  /**
   * The earlier of this machine's time and the database's, Unix milliseconds, so that one clock that is ahead ends
   * nothing for good.
   */
  readonly earlierMs = (): number => Math.min(this.#world.nowMs(), this.nowMs());
}
