import { Gauge } from "prom-client";
import type { LevelLogger } from "./log-event.ts";
import { nodeAnswers, nodeSilent } from "./log-events.ts";
import type { Metrics } from "./metrics.ts";

/**
 * Shows which chain nodes do not answer, as a metric and as a log line for each change.
 *
 * @param networks the served networks; the metric shows each from the start
 * @returns a function that records whether the node of a network is silent
 */
export const showSilentNodes = (
  { registry }: Pick<Metrics, "registry">,
  networks: readonly string[],
  logger: LevelLogger<"info" | "warn">,
): ((network: string, isSilent: boolean) => void) => {
  const gauge = new Gauge({
    name: "conclave_chain_node_silent",
    help: "1 while the chain node of a network does not answer in its time, and is left alone but for a probe now and then",
    labelNames: ["network"],
    registers: [registry],
  });
  for (const network of networks) gauge.set({ network }, 0);
  return (network, isSilent) => {
    gauge.set({ network }, isSilent ? 1 : 0);
    if (isSilent) nodeSilent(logger, { network });
    else nodeAnswers(logger, { network });
  };
};
