import { type Problem, problem } from "@conclave/custody";
import type { z } from "zod";
import { columnNameOf } from "../table/column-name.ts";

/** A report of a row that its schema rejects, because something other than this version has written it. */
export interface UnreadableReport {
  /** the row's id if it has one; it is no secret */
  readonly record: string;
  /** the columns that do not fit */
  readonly columns: readonly string[];
}

/** Thrown if a row cannot be read that was asked for by itself, or without which nothing may be decided. */
export class UnreadableRow extends Error {
  override readonly name = "UnreadableRow";
  readonly problem: Problem;
  readonly report: UnreadableReport;

  constructor(report: UnreadableReport) {
    super(`the record ${report.record} cannot be read: ${report.columns.join(", ")}`);
    this.report = report;
    this.problem = problem("RecordUnreadable", { record: report.record });
  }
}

/** The readable rows of a list, in its order. */
export type Listed<Row> = readonly Row[] & {
  /** how many further rows are unreadable */
  readonly leftOut: number;
};

/** A list with this many rows left out. */
export const listedAs = <Row>(rows: readonly Row[], leftOut: number): Listed<Row> => {
  const listed = Object.assign([...rows], { leftOut });
  // not enumerable, so that lists with the same rows are equal
  return Object.defineProperty(listed, "leftOut", { enumerable: false });
};

export const NOTHING_LISTED: Listed<never> = listedAs([], 0);

type Read<Row> = { readonly row: Row } | { readonly unreadable: UnreadableReport };

/** Reads a row; if the schema's own code throws, the row is unreadable too. */
export const readRow = <Row>(schema: z.ZodType<Row>, row: unknown): Read<Row> => {
  try {
    const form = schema.safeParse(row);
    return form.success ? { row: form.data } : { unreadable: reportOf(row, form.error.issues) };
  } catch {
    return { unreadable: reportOf(row, []) };
  }
};

const ID = /^[a-z]{2,5}-[a-z0-9-]{1,60}$/;

/** The report of a row. Of its values it contains only an id of ours, because others may be secrets (INV-10). */
const reportOf = (row: unknown, issues: readonly z.core.$ZodIssue[]): UnreadableReport => {
  const id: unknown = typeof row === "object" && row !== null ? Reflect.get(row, "id") : undefined;
  return {
    record: typeof id === "string" && ID.test(id) ? id : "without an id",
    columns: [...new Set(issues.map(({ path }) => placeOf(path.map(String)).slice(0, 100)))].slice(0, 10),
  };
};

/** A place in a row: the column, and the path inside it if it is JSON. */
const placeOf = ([property = "", ...inside]: readonly string[]): string =>
  [columnNameOf(property), ...inside].join(".");
