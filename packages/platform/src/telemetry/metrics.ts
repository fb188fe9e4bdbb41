import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";

/** The metrics of one process, in Prometheus' text format. */
export interface Metrics {
  readonly registry: Registry;
  readonly contentType: string;
  text(): Promise<string>;
}

/** Makes a separate registry (tests may have many) with the process's memory, CPU and event loop delay. */
export const makeMetrics = (service: string): Metrics => {
  const registry = new Registry();
  registry.setDefaultLabels({ service });
  collectDefaultMetrics({ register: registry });
  return { registry, contentType: registry.contentType, text: () => registry.metrics() };
};

export { Counter, Gauge, Histogram };
