export { type ChaosRun, carryOut, type FaultInjector, type FaultOutcome, type Heal } from "./carry-out.ts";
export { Chance } from "./chance.ts";
export { type Drawable, drawPlan } from "./draw-plan.ts";
export type {
  BusFailure,
  ChainFailure,
  FaultStart,
  InjectedFault,
  PlannedFault,
  Stage,
  StoreChange,
  Toxic,
} from "./fault.ts";
export { type ParsedPlan, type PlanProblem, parsePlan } from "./parse.ts";
export { type Place, placeName, type ServicePlace } from "./place.ts";
export { type ChaosPlan, type Load, QUIET_PLAN } from "./plan.ts";
export { plannedText, planText } from "./print.ts";
