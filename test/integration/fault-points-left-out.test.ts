import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { FAULT_POINTS } from "@conclave/platform/fault-points";
import { repositoryRoot, serviceBundle } from "@conclave/testbed";
import { describe, expect, it } from "vitest";

const SERVICES = ["gateway", "orchestrator", "signer"] as const;

/** Texts that occur only in code for fault injection. */
const TRACES = [
  ...FAULT_POINTS.map(({ point }) => `"${point}"`),
  "CONCLAVE_FAULTS",
  "orders.json",
  "hearFaultPoints",
  "FAULT:",
];

/** The traces found in a service's latest bundles. */
const tracesIn = (service: string, bundle: "bundle" | "bundle-faults"): readonly string[] => {
  const shipped = dirname(serviceBundle(repositoryRoot(), service));
  const folder = join(shipped, "..", bundle);
  const files = readdirSync(folder).filter((name) => name.endsWith(".js"));
  const texts = files.map((name) => readFileSync(join(folder, name), "utf8"));
  return TRACES.filter((trace) => texts.some((text) => text.includes(trace)));
};

describe("a fault that can be ordered", () => {
  it.each(SERVICES)("has left no trace in the bundles of %s that are shipped", (service) => {
    expect(tracesIn(service, "bundle")).toEqual([]);
  });

  it("is found in the bundles of tests by the same search", () => {
    const found = new Set(SERVICES.flatMap((service) => tracesIn(service, "bundle-faults")));
    expect(TRACES.filter((trace) => !found.has(trace))).toEqual([]);
  });
});
