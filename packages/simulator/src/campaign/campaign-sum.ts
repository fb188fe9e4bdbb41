import type { FaultOutcome, InjectedFault } from "@conclave/chaos";
import { type Reached, reachedIn } from "../watch/reached.ts";
import type { WorldReport } from "../workers/world-order.ts";

/** How often faults of one kind were carried out, could not be, and never had their moment. */
export interface FaultCount {
  readonly carriedOut: number;
  readonly refused: number;
  readonly unbegun: number;
}

/** The sums of a campaign. They do not depend on the order in which its worlds end. */
export interface CampaignSum {
  readonly worlds: number;
  /** worlds with findings */
  readonly failed: number;
  readonly transfers: number;
  readonly steps: number;
  /** virtual milliseconds */
  readonly lastedMs: number;
  /** by name, how often it was reached in all worlds */
  readonly reached: Reached;
  readonly faults: Readonly<Partial<Record<InjectedFault["kind"], FaultCount>>>;
  /** by invariant, the worlds that violated it; a world that violated several counts for each */
  readonly violated: Readonly<Record<string, number>>;
  /** the most memory that a process of a worker had, in MB */
  readonly peakMb: number;
}

/** The sums of a campaign without worlds. */
export const NO_WORLDS: CampaignSum = {
  worlds: 0,
  failed: 0,
  transfers: 0,
  steps: 0,
  lastedMs: 0,
  reached: {},
  faults: {},
  violated: {},
  peakMb: 0,
};

const NONE: FaultCount = { carriedOut: 0, refused: 0, unbegun: 0 };

const withFault = (count: FaultCount, { beganMs, trouble }: FaultOutcome): FaultCount => {
  if (trouble !== undefined) return { ...count, refused: count.refused + 1 };
  return beganMs === undefined
    ? { ...count, unbegun: count.unbegun + 1 }
    : { ...count, carriedOut: count.carriedOut + 1 };
};

/** Adds a world to the sums. */
export const withWorld = (sum: CampaignSum, report: WorldReport): CampaignSum => {
  const faults = { ...sum.faults };
  for (const outcome of report.outcomes)
    faults[outcome.kind] = withFault(faults[outcome.kind] ?? NONE, outcome);
  const violated = { ...sum.violated };
  for (const invariant of new Set(report.findings.map((finding) => finding.invariant)))
    violated[invariant] = (violated[invariant] ?? 0) + 1;
  return {
    worlds: sum.worlds + 1,
    failed: sum.failed + (report.findings.length > 0 ? 1 : 0),
    transfers: sum.transfers + report.transfers,
    steps: sum.steps + report.steps,
    lastedMs: sum.lastedMs + report.lastedMs,
    reached: reachedIn(sum.reached, report.reached),
    faults,
    violated,
    peakMb: Math.max(sum.peakMb, report.peakMb),
  };
};
