import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";

/** The metrics of one process, in Prometheus' text format. */
export interface Metrics {
  readonly registry: Registry;
  readonly contentType: string;
  text(): Promise<string>;
}

/** Makes a registry of its own: tests may have many, and a simulator has one for each of its processes. */
export const makeMetrics = (service: string): Metrics => {
  const registry = new Registry();
  registry.setDefaultLabels({ service });
  return { registry, contentType: registry.contentType, text: () => registry.metrics() };
};

/**
 * Adds the process's memory, CPU and event loop delay. Node measures these until the process ends, and keeps the
 * registry in memory.
 */
export const collectProcessMetrics = ({ registry }: Pick<Metrics, "registry">): void =>
  collectDefaultMetrics({ register: registry });

export { Counter, Gauge, Histogram };
