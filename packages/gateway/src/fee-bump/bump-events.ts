import { counterIn, type Metrics } from "@conclave/platform";
import { FEE_BUMPS, feeNotRaised, feeRaised } from "../log-events.ts";
import { BUMP_OUTCOMES } from "./decide-bump.ts";

/** Logs and counts the outcomes for waiting transactions. */
export interface BumpEvents {
  readonly raised: ReturnType<typeof feeRaised>;
  readonly notRaised: ReturnType<typeof feeNotRaised>;
}

/** @param networks where fees are raised: their metric has every outcome from the start */
export const bumpEvents = (metrics: Metrics, networks: readonly string[]): BumpEvents => {
  const counter = counterIn(metrics, FEE_BUMPS);
  for (const network of networks) for (const outcome of BUMP_OUTCOMES) counter.inc({ network, outcome }, 0);
  return { raised: feeRaised(metrics), notRaised: feeNotRaised(metrics) };
};
