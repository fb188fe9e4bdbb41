import type { AdvisoryLocks } from "../storage/advisory-locks.ts";
import type { ModelTransaction } from "../storage/transaction.ts";
import type { BoundRow } from "../storage/tuple.ts";
import type { SqlRow, SqlType, SqlValue } from "../value/value.ts";

/** One command of a transaction: it sees what earlier commands did, and nothing of its own. */
export interface SqlCommand {
  readonly transaction: ModelTransaction;
  readonly number: number;
  readonly locks: AdvisoryLocks;
  /** the values that were handed to the statement, as the driver takes them */
  readonly given: readonly unknown[];
  /** work for the end of the command, in order: triggers after each row, and checks of foreign keys */
  readonly after: (() => void)[];
}

/** The rows and values with which an expression is evaluated. */
export interface Frame {
  readonly command: SqlCommand;
  /** by slot: the row that each entry of each `from` is bound to */
  readonly slots: (BoundRow | undefined)[];
  /** the handed values, of the types that the statement gives them */
  readonly parameters: readonly SqlValue[];
  /** by number: the rows of each `with` */
  readonly lists: (readonly SqlRow[])[];
  /** by number: results of subqueries that are the same for the whole statement */
  readonly memos: (SqlValue | undefined)[];
}

export interface Expression {
  readonly type: SqlType;
  readonly evaluate: (frame: Frame) => SqlValue;
  /** the same as a value of another type: only of a literal or a handed value, whose type its surroundings give */
  readonly typed?: (type: SqlType) => Expression;
}

/** The result of a query: rows in order, and for statements that change rows how many they changed. */
export interface QueryResult {
  readonly rows: readonly SqlRow[];
  readonly count: number;
}

/** A frame without rows, for expressions that a table has. */
export const bareFrame = (command: SqlCommand, ...rows: readonly (BoundRow | undefined)[]): Frame => ({
  command,
  slots: [...rows],
  parameters: [],
  lists: [],
  memos: [],
});
