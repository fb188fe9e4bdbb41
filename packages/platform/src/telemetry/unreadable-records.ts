import { Counter } from "prom-client";
import type { UnreadableReport } from "../postgres/index.ts";
import type { Metrics } from "./metrics.ts";

const KIND = /^[a-z]{2,5}(?=-)/;

/**
 * Counts records that cannot be read, and writes a line of the log for each.
 * @returns hears of such a record
 */
export const showUnreadableRecords = (
  { registry }: Pick<Metrics, "registry">,
  logger: { readonly error: (report: UnreadableReport, line: string) => unknown },
): ((report: UnreadableReport) => void) => {
  const counter = new Counter({
    name: "conclave_unreadable_records_total",
    help: "Times that a record of the database could not be read, by the kind in its id; lists leave it out",
    labelNames: ["kind"],
    registers: [registry],
  });
  return (report) => {
    counter.inc({ kind: KIND.exec(report.record)?.[0] ?? "other" });
    logger.error(report, "a record of the database cannot be read, and is left out of a list");
  };
};
