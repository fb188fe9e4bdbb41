import { Counter, type Metrics } from "@conclave/platform";
import { BUMP_OUTCOMES, type BumpOutcome } from "./decide-bump.ts";

/** Counts what becomes of transactions that wait. @param networks where fees are raised: there every outcome is shown from the start */
export const countBumps = (
  { registry }: Metrics,
  networks: readonly string[],
): ((network: string, outcome: BumpOutcome) => void) => {
  const counter = new Counter({
    name: "conclave_fee_bumps_total",
    help: "Transactions that waited for many blocks, by network and by what became of that",
    labelNames: ["network", "outcome"],
    registers: [registry],
  });
  for (const network of networks) for (const outcome of BUMP_OUTCOMES) counter.inc({ network, outcome }, 0);
  return (network, outcome) => counter.inc({ network, outcome });
};
