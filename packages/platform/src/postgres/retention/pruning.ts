import type { World } from "@conclave/custody";
import { startLoop } from "../../loop.ts";
import type { Database } from "../database.ts";
import type { Subscription } from "../listener.ts";
import { pruneSlice, RETENTION_RULES, type RetentionRule } from "./rules.ts";

const SLICE_ROWS = 500;
/** between two slices, so that requests have their turn at the disk: some 5000 rows a second at the most */
const BETWEEN_SLICES_MS = 100;
const LOOK_EVERY_MS = 600_000;

export interface PruningOptions {
  readonly world: World;
  readonly database: Database;
  /** Unix milliseconds */
  readonly now: () => number;
  /** a slice failed: the other tables go on, and this one waits for the next look */
  readonly onFailure: (error: unknown, table: string) => void;
  /** rows of one slice; a test takes few */
  readonly sliceRows?: number;
}

/**
 * Forgets what is too old, beside all other work and slice by slice, until stopped. Many processes may do it. Nobody waits for
 * it, and nothing but space depends on it: readers go by the dates of rows.
 */
export const startPruning = (options: PruningOptions): Subscription => {
  const stopping = new AbortController();
  const { signal } = stopping;
  const wait = (ms: number): Promise<void> => options.world.sleep(ms, signal);
  const loop = startLoop({
    world: options.world,
    round: async () => {
      let due = RETENTION_RULES;
      while (due.length > 0 && !signal.aborted) due = await pruneEach(options, due, wait);
      return LOOK_EVERY_MS;
    },
    // each slice reports its own failure
    onFailure: (error) => {
      throw error;
    },
    pauseAfterFailureMs: LOOK_EVERY_MS,
  });
  return {
    stop: async () => {
      stopping.abort();
      await loop.stop();
    },
  };
};

/** One slice of each table in turn. @returns the rules of those tables that may have more */
const pruneEach = async (
  { database, now, onFailure, sliceRows = SLICE_ROWS }: PruningOptions,
  rules: readonly RetentionRule[],
  wait: (ms: number) => Promise<unknown>,
): Promise<readonly RetentionRule[]> => {
  const more: RetentionRule[] = [];
  for (const rule of rules) {
    const went = await pruneSlice(database, rule, now(), sliceRows).catch((error: unknown) => {
      onFailure(error, rule.table);
      return 0;
    });
    if (went === sliceRows) more.push(rule);
    if (went > 0) await wait(BETWEEN_SLICES_MS);
  }
  return more;
};
