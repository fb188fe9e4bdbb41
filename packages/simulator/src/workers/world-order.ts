import type { ChaosPlan, FaultOutcome } from "@conclave/chaos";
import type { WorldAttack } from "../campaign/draw-attack.ts";
import type { Violation } from "../check/violation.ts";
import type { TraceLine } from "../trace/trace.ts";
import type { Reached } from "../watch/reached.ts";

/** A world that is to be run. Plain values: it passes from process to process. */
export interface WorldOrder {
  readonly seed: number;
  readonly plan: ChaosPlan;
  /** the share of statements to the database that are lost, or whose answer is */
  readonly lostStatements: number;
  /** whether its report has its events, with the ends of its transfers, also where nothing was found */
  readonly isShown?: boolean;
  /** no hostile orchestrator and no presignatures where it is left out */
  readonly attack?: WorldAttack;
}

/** The outcome of a world, as plain values. */
export interface WorldReport {
  /** of the invariant "world" where the run threw, "worker" where its process died, "time" where it did not end */
  readonly findings: readonly Violation[];
  readonly outcomes: readonly FaultOutcome[];
  /** by name, how often it was reached */
  readonly reached: Reached;
  readonly transfers: number;
  readonly steps: number;
  /** virtual milliseconds */
  readonly lastedMs: number;
  /** empty where the world did not end */
  readonly digest: string;
  /** the events of a world with findings, or of one that is shown; other worlds report none, because these are long */
  readonly lines: readonly TraceLine[];
  /** the most memory that the process of the worker has had so far, in MB */
  readonly peakMb: number;
}

/** The report of a world that did not end. @param invariant the name of its one finding */
export const unfinishedReport = (invariant: string, words: string, peakMb: number): WorldReport => ({
  findings: [{ invariant, words }],
  outcomes: [],
  reached: {},
  transfers: 0,
  steps: 0,
  lastedMs: 0,
  digest: "",
  lines: [],
  peakMb,
});
