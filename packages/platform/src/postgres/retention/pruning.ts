import type { World } from "@conclave/custody";
import { startLoop } from "../../loop.ts";
import type { Database } from "../database.ts";
import type { Subscription } from "../listener.ts";
import { pruneSlice, RETENTION_RULES, type RetentionRule } from "./rules.ts";

const SLICE_ROWS = 500;
/** pause between two slices, so that requests get disk time: at most some 5000 rows a second */
const BETWEEN_SLICES_MS = 100;
const LOOK_EVERY_MS = 600_000;

export interface PruningOptions {
  readonly world: World;
  readonly database: Database;
  /** Unix milliseconds */
  readonly now: () => number;
  /** called if a slice failed: the other tables go on, and this one waits for the next look */
  readonly onFailure: (error: unknown, table: string) => void;
  /** rows of one slice; tests use few */
  readonly sliceRows?: number;
}

/**
 * Deletes old rows, in small slices and beside other work, until stopped. Several processes may do it. Nobody waits for
 * it, and only disk space depends on it: readers check the dates of rows themselves.
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
    // slices report their own failures (`pruneEach`)
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

/** Prunes one slice of each table in turn. @returns the rules of the tables that may have more */
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
