import { writeFileSync } from "node:fs";
import { cpus, totalmem } from "node:os";
import { LaunchError, typedCommand } from "@conclave/testbed";
import { nextStopRequest } from "../stop-request.ts";
import { clusterFigures } from "./cluster/cluster-figures.ts";
import { frostFigures } from "./cluster/frost-figures.ts";
import type { Section } from "./figure.ts";
import { makeReport } from "./progress.ts";
import { renderTable } from "./table.ts";
import { thresholdFigures } from "./threshold/threshold-figures.ts";

const machine = (): string => {
  const all = cpus();
  const memory = Math.round(totalmem() / 2 ** 30);
  return `Conclave at its real parameters (CGGMP24-128, 3072-bit moduli) on ${all.length} × ${all[0]?.model.trim() ?? "unknown CPU"}, ${memory} GiB, Node ${process.versions.node}, OpenSSL ${process.versions.openssl}`;
};

const asData = (sections: readonly Section[]): string => {
  const measured = sections.filter(({ isQuoted }) => isQuoted === undefined);
  const data = measured.flatMap(({ figures }) =>
    figures.map(({ name, unit, value }) => ({ name, unit, value })),
  );
  return `${JSON.stringify(data, undefined, 2)}\n`;
};

/** A run takes about fourteen minutes on two cores. A machine that needs longer than this is too busy for valid numbers. */
const TIME_MAX_MS = 960_000;

const whyEnded = (stopped: AbortSignal, late: AbortSignal): LaunchError | undefined => {
  if (stopped.aborted)
    return new LaunchError(
      "the benchmark was interrupted",
      `Run it again with \`${typedCommand("bench")}\`.`,
    );
  if (!late.aborted) return undefined;
  return new LaunchError(
    `the benchmark took longer than ${TIME_MAX_MS / 60_000} minutes`,
    "Run it again when the machine has less to do.",
  );
};

/**
 * `conclave bench`: measures at real parameters. It writes progress to stderr, and the table of each part to stdout as soon as the
 * part is done. Rejects with a LaunchError if it is interrupted or takes too long; the printed numbers are still valid.
 * @param jsonFile file for the same numbers as [{name, unit, value}]
 */
export const bench = async (jsonFile?: string): Promise<void> => {
  const report = makeReport();
  const { signal: stopped } = nextStopRequest();
  const late = AbortSignal.timeout(TIME_MAX_MS);
  const signal = AbortSignal.any([stopped, late]);
  const sections: Section[] = [];
  process.stdout.write(`${machine()}\n`);
  try {
    const show = (taken: readonly Section[]): void => {
      sections.push(...taken);
      process.stdout.write(`\n${renderTable(taken)}\n`);
    };
    for (const measure of [thresholdFigures, frostFigures]) show(await measure(report, signal));
    for await (const section of clusterFigures(report, signal)) show([section]);
  } catch (cause) {
    throw whyEnded(stopped, late) ?? cause;
  }
  if (jsonFile !== undefined) writeFileSync(jsonFile, asData(sections));
};
