import { type Problem, problem } from "@conclave/custody";
import type { z } from "zod";
import { columnNameOf } from "../table/column-name.ts";

/** A row that a schema does not take: something else than this version has written it. */
export interface UnreadableReport {
  /** its id where it has one; tells where to look, and is no secret */
  readonly record: string;
  /** the columns that do not fit */
  readonly columns: readonly string[];
}

/** A row cannot be read that is asked for by itself, or that nothing may be decided without. */
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

/** Rows of a list that can be read, in its order. */
export type Listed<Row> = readonly Row[] & {
  /** how many further rows there are that cannot */
  readonly leftOut: number;
};

/** The same list with other rows. */
export const listedAs = <Row>(rows: readonly Row[], leftOut: number): Listed<Row> => {
  const listed = Object.assign([...rows], { leftOut });
  // a list equals another one with the same rows
  return Object.defineProperty(listed, "leftOut", { enumerable: false });
};

export const NOTHING_LISTED: Listed<never> = listedAs([], 0);

type Read<Row> = { readonly row: Row } | { readonly unreadable: UnreadableReport };

/** Reads a row; a schema's own code that throws at it has not read it either. */
export const readRow = <Row>(schema: z.ZodType<Row>, row: unknown): Read<Row> => {
  try {
    const form = schema.safeParse(row);
    return form.success ? { row: form.data } : { unreadable: reportOf(row, form.error.issues) };
  } catch {
    return { unreadable: reportOf(row, []) };
  }
};

const ID = /^[a-z]{2,5}-[a-z0-9-]{1,60}$/;

/** The report of a row: it holds no value of it but an id of ours, for others may be secrets (INV-10). */
const reportOf = (row: unknown, issues: readonly z.core.$ZodIssue[]): UnreadableReport => {
  const id: unknown = typeof row === "object" && row !== null ? Reflect.get(row, "id") : undefined;
  return {
    record: typeof id === "string" && ID.test(id) ? id : "without an id",
    columns: [...new Set(issues.map(({ path }) => placeOf(path.map(String)).slice(0, 100)))].slice(0, 10),
  };
};

/** Where in a row: a column, and what of it where that is JSON. */
const placeOf = ([property = "", ...inside]: readonly string[]): string =>
  [columnNameOf(property), ...inside].join(".");
