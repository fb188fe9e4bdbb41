import type { ModelStoreOptions } from "@conclave/platform/testing";
import type { StepLimits } from "../time/step-limit.ts";

/** The size and the seed of a simulated cluster. */
export interface ClusterPlan {
  readonly seed: string;
  readonly signers: number;
  readonly threshold: number;
  readonly orchestrators: number;
  readonly gateways: number;
  /** the networks that it serves; that of a plan that names none where it is left out */
  readonly networks?: readonly string[];
  /** the share of statements to the database that are lost, or whose answer is; 0 where it is left out */
  readonly lostStatements?: number;
  /** the share of the synced writes of signers in which these die, between `beginFaults` and `heal`; 0 where it is left out */
  readonly deathsInWrites?: number;
  /** after which the run throws NoProgress */
  readonly stepLimits?: StepLimits;
  /** how many presignatures each orchestrator keeps ready for each set of signers; 0 where it is left out */
  readonly presignatures?: number;
  /** whether an attacker with the rights of an orchestrator is among its processes */
  readonly isAttacked?: boolean;
  /** the share of answers of gateways to clients that are lost; 0 where it is left out */
  readonly lostAnswers?: number;
  /** the share of calls to chains that a node answers which is behind; 0 where it is left out */
  readonly laggingNodes?: number;
  /** the most that the clock of a machine is ahead or behind from the beginning, milliseconds; 0 where it is left out */
  readonly clocksApartMs?: number;
  /** hears of each statement that the database has run */
  readonly ran?: ModelStoreOptions["ran"];
}
