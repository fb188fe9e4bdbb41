import { LockWait } from "../storage/holder.ts";
import type { ModelTransaction } from "../storage/transaction.ts";
import type { Tuple, TupleVersion } from "../storage/tuple.ts";
import { compareValues } from "../value/compare.ts";
import { SqlStateError } from "../value/sql-error.ts";
import type { SqlRow } from "../value/value.ts";
import type { ForeignKey, TableDefinition, UniqueIndex } from "./definition.ts";
import { bareFrame, type SqlCommand } from "./frame.ts";
import { lockRow } from "./locking.ts";

/** @throws SqlStateError 23502 for a NULL, 23514 for a check that is not met */
export const checkRow = (definition: TableDefinition, values: SqlRow, command: SqlCommand): void => {
  const { table, notNull, checks } = definition;
  for (const position of notNull)
    if ((values[position] ?? null) === null)
      throw new SqlStateError(
        "23502",
        `null value in column "${table.columns[position]?.name}" of relation "${table.name}" violates not-null constraint`,
      );
  const frame = bareFrame(command, { values });
  for (const { name, expression } of checks)
    if (expression.evaluate(frame) === false)
      throw new SqlStateError(
        "23514",
        `new row for relation "${table.name}" violates check constraint "${name}"`,
        name,
      );
};

/** The version that has a row's place in a unique index; undefined if the place is free. */
export const rivalOf = (
  definition: TableDefinition,
  { columns, predicate }: UniqueIndex,
  values: SqlRow,
  command: SqlCommand,
  self: Tuple | undefined,
): TupleVersion | undefined => {
  const isIndexed = (row: SqlRow): boolean =>
    predicate === undefined || predicate.evaluate(bareFrame(command, { values: row })) === true;
  const [first] = columns;
  if (
    first === undefined ||
    columns.some((column) => (values[column] ?? null) === null) ||
    !isIndexed(values)
  )
    return undefined;
  const { transaction } = command;
  const isRival = (version: TupleVersion | undefined): version is TupleVersion =>
    version !== undefined &&
    !version.isDeletion &&
    columns.every((column) => compareValues(version.values[column] ?? null, values[column] ?? null) === 0) &&
    isIndexed(version.values);
  for (const tuple of [...definition.table.tuplesWith(first, values[first] ?? null)]) {
    if (tuple === self) continue;
    const { writer } = tuple;
    if (writer !== undefined && writer !== transaction) {
      if (isRival(tuple.committed) || tuple.pending.some(isRival)) throw new LockWait([writer]);
      continue;
    }
    const newest = tuple.newestFor(transaction);
    if (isRival(newest)) return newest;
  }
  return undefined;
};

export const uniqueViolation = ({ name }: UniqueIndex): SqlStateError =>
  new SqlStateError("23505", `duplicate key value violates unique constraint "${name}"`, name);

/** Checks a foreign key of a row and locks the row that it refers to. @throws SqlStateError 23503 if there is none */
const checkReference = (key: ForeignKey, values: SqlRow, transaction: ModelTransaction): void => {
  const wanted = key.columns.map((column) => values[column] ?? null);
  const [first] = key.keys;
  if (first === undefined || wanted.includes(null)) return;
  for (const tuple of [...key.to.table.tuplesWith(first, wanted[0] ?? null)]) {
    const newest = tuple.newestFor(transaction);
    if (newest === undefined) continue;
    const isIt = key.keys.every(
      (position, index) => compareValues(newest.values[position] ?? null, wanted[index] ?? null) === 0,
    );
    if (!isIt) continue;
    lockRow(tuple, transaction, "key share");
    return;
  }
  throw new SqlStateError(
    "23503",
    `insert or update on table "${key.from.table.name}" violates foreign key constraint "${key.name}"`,
    key.name,
  );
};

/** Has the foreign keys of a row checked at the end of the command, or of the transaction. */
export const checkReferences = (
  definition: TableDefinition,
  version: TupleVersion,
  replaced: SqlRow | undefined,
  command: SqlCommand,
): void => {
  for (const key of definition.references) {
    const isSame =
      replaced !== undefined &&
      key.columns.every(
        (column) => compareValues(version.values[column] ?? null, replaced[column] ?? null) === 0,
      );
    if (isSame) continue;
    // a row that was changed again meanwhile is checked as it is then
    const check = (transaction: ModelTransaction): void => {
      const newest = version.tuple.newestFor(transaction);
      if (newest !== undefined) checkReference(key, newest.values, transaction);
    };
    if (key.isDeferred) command.transaction.defer(check);
    else command.after.push(() => check(command.transaction));
  }
};

/** The rows that refer to a row, as they are now. */
export const referringTo = (
  key: ForeignKey,
  values: SqlRow,
  transaction: ModelTransaction,
): readonly TupleVersion[] => {
  const [first] = key.columns;
  if (first === undefined) return [];
  const wanted = key.keys.map((position) => values[position] ?? null);
  const found: TupleVersion[] = [];
  for (const tuple of [...key.from.table.tuplesWith(first, wanted[0] ?? null)]) {
    const { writer } = tuple;
    if (writer !== undefined && writer !== transaction) throw new LockWait([writer]);
    const newest = tuple.newestFor(transaction);
    if (newest === undefined) continue;
    const refers = key.columns.every(
      (column, index) => compareValues(newest.values[column] ?? null, wanted[index] ?? null) === 0,
    );
    if (refers) found.push(newest);
  }
  return found;
};
