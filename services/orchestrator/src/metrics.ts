import { Counter, Gauge, Histogram, type Metrics, makeMetrics } from "@conclave/platform";
import type { Signers } from "./signers.ts";

const SECONDS = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10, 30, 60];

export interface OrchestratorMetrics extends Metrics {
  /** how long one delivery of a request was worked on */
  readonly deliverySeconds: Histogram<"request" | "disposition">;
  /** proved deviations */
  readonly faults: Counter;
}

/** The orchestrator's own numbers beside those of its process. */
export const orchestratorMetrics = (signers: Signers): OrchestratorMetrics => {
  const metrics = makeMetrics("orchestrator");
  const { registry } = metrics;
  new Gauge({
    name: "conclave_signers_live",
    help: "Signers that serve and answer",
    registers: [registry],
    collect() {
      this.set(signers.live().length);
    },
  });
  return {
    ...metrics,
    deliverySeconds: new Histogram({
      name: "conclave_delivery_seconds",
      help: "Time spent on one delivery of a request",
      labelNames: ["request", "disposition"],
      buckets: SECONDS,
      registers: [registry],
    }),
    faults: new Counter({
      name: "conclave_faults_total",
      help: "Signers that were proved to deviate",
      registers: [registry],
    }),
  };
};
