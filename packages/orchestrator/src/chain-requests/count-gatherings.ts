import type { ChainRequest } from "@conclave/custody";
import { Counter, type Metrics } from "@conclave/platform";

const OUTCOMES = [
  /** an orchestrator has begun it */
  "begun",
  /** its transaction is final, or can never land any more */
  "ended",
  /** it failed before it was signed: fees have risen, or there is nothing to gather */
  "refused",
] as const;
type GatheringOutcome = (typeof OUTCOMES)[number];

/** The counter of gatherings. */
export interface GatheringCount {
  readonly gathered?: ((network: string, outcome: GatheringOutcome) => void) | undefined;
}

/** Counts an outcome of a request, if the service itself made the request to gather coins. */
export const countGathering = (
  { gathered }: GatheringCount,
  { isGathering, network }: Pick<ChainRequest, "isGathering" | "network">,
  outcome: GatheringOutcome,
): void => {
  if (isGathering) gathered?.(network, outcome);
};

/** Makes the metric. @param networks where coins are gathered: their metric has every outcome from the start */
export const gatheringCounter = (
  registry: Metrics["registry"],
  networks: readonly string[],
): NonNullable<GatheringCount["gathered"]> => {
  const counter = new Counter({
    name: "conclave_gatherings_total",
    help: "Requests that the service made by itself to gather coins, by network and by what became of them",
    labelNames: ["network", "outcome"],
    registers: [registry],
  });
  for (const network of networks) for (const outcome of OUTCOMES) counter.inc({ network, outcome }, 0);
  return (network, outcome) => counter.inc({ network, outcome });
};
