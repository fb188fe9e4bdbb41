import { writeFileSync } from "node:fs";
import { cpus, totalmem } from "node:os";
import { LaunchError } from "@conclave/testbed";
import { nextStopRequest } from "../stop-request.ts";
import { clusterFigures } from "./cluster-figures.ts";
import type { Section } from "./figure.ts";
import { type Tell, tellOnStderr } from "./progress.ts";
import { renderTable } from "./table.ts";
import { thresholdFigures } from "./threshold-figures.ts";

const machine = (): string => {
  const all = cpus();
  const memory = Math.round(totalmem() / 2 ** 30);
  return `Conclave at its real parameters (CGGMP24-128, 3072-bit moduli) on ${all.length} × ${all[0]?.model.trim() ?? "unknown CPU"}, ${memory} GiB, Node ${process.versions.node}, OpenSSL ${process.versions.openssl}`;
};

const LATER =
  "Budgets that belong to later work are not measured: signature from a ready presignature, pooled ECDSA " +
  "signatures per second, FROST signatures per second.";

const asData = (sections: readonly Section[]): string => {
  const data = sections.flatMap(({ figures }) =>
    figures.map(({ name, unit, value }) => ({ name, unit, value })),
  );
  return `${JSON.stringify(data, undefined, 2)}\n`;
};

const measure = async (tell: Tell, signal: AbortSignal): Promise<readonly Section[]> => {
  const threshold = await thresholdFigures(tell, signal);
  return [...threshold, ...(await clusterFigures(tell, signal))];
};

/**
 * `conclave bench`: measures at real parameters; progress on stderr, the table on stdout.
 * @param jsonFile where the same numbers go as [{name, unit, value}]
 */
export const bench = async (jsonFile?: string): Promise<void> => {
  const stop = nextStopRequest();
  const sections = await measure(tellOnStderr(), stop.signal).catch((cause: unknown) => {
    if (!stop.signal.aborted) throw cause;
    throw new LaunchError("the benchmark was interrupted", "Run it again with `make bench`.");
  });
  process.stdout.write(`${machine()}\n\n${renderTable(sections)}\n\n${LATER}\n`);
  if (jsonFile !== undefined) writeFileSync(jsonFile, asData(sections));
};
