import type { Tuple, TupleVersion } from "../storage/tuple.ts";
import { compareValues } from "../value/compare.ts";
import { SqlStateError, UnknownSql } from "../value/sql-error.ts";
import type { SqlRow, SqlValue } from "../value/value.ts";
import { checkReferences, checkRow, referringTo, rivalOf, uniqueViolation } from "./constraints.ts";
import type { ForeignKey, TableDefinition, Trigger, TriggerEvent, UniqueIndex } from "./definition.ts";
import { bareFrame, type SqlCommand } from "./frame.ts";
import { lockRow } from "./locking.ts";

/** The outcome of an insertion. */
type Insertion =
  | { readonly kind: "inserted"; readonly version: TupleVersion }
  | { readonly kind: "left out" }
  | Rival;
interface Rival {
  readonly kind: "rival";
  readonly version: TupleVersion;
}

/** The rows of a trigger: no new one for a delete, no old one for an insert. */
interface Fired {
  readonly fresh: SqlRow | undefined;
  readonly old: SqlRow | undefined;
}

const firesFor = (
  trigger: Trigger,
  event: TriggerEvent,
  { fresh, old }: Fired,
  command: SqlCommand,
  set: ReadonlySet<number>,
): boolean => {
  if (!trigger.events.includes(event)) return false;
  if (event === "update" && trigger.columns.length > 0 && !trigger.columns.some((column) => set.has(column)))
    return false;
  if (trigger.when === undefined) return true;
  return trigger.when.evaluate(bareFrame(command, bound(fresh), bound(old))) === true;
};

const bound = (values: SqlRow | undefined) => (values === undefined ? undefined : { values });

const NO_COLUMNS: ReadonlySet<number> = new Set();

/** Runs the triggers before a row. @returns the row that goes on; null if one leaves it out */
const before = (
  definition: TableDefinition,
  event: TriggerEvent,
  fired: Fired,
  command: SqlCommand,
  set = NO_COLUMNS,
): SqlRow | null => {
  let row: SqlRow | null = fired.fresh ?? fired.old ?? null;
  for (const trigger of definition.triggers) {
    if (row === null) return null;
    const now = event === "delete" ? fired : { ...fired, fresh: row };
    if (trigger.timing === "before" && firesFor(trigger, event, now, command, set))
      row = trigger.fire(command, bound(now.fresh), bound(now.old));
  }
  return row;
};

/** Has the triggers after a row run at the end of the command. */
const after = (
  definition: TableDefinition,
  event: TriggerEvent,
  fired: Fired,
  command: SqlCommand,
  set = NO_COLUMNS,
): void => {
  for (const trigger of definition.triggers)
    if (trigger.timing === "after" && firesFor(trigger, event, fired, command, set))
      command.after.push(() => void trigger.fire(command, bound(fired.fresh), bound(fired.old)));
};

/** The row with the columns that the table computes from others. */
const withGenerated = ({ generated }: TableDefinition, values: SqlRow, command: SqlCommand): SqlRow => {
  if (generated.size === 0) return values;
  const made: SqlValue[] = [...values];
  const frame = bareFrame(command, { values });
  for (const [position, expression] of generated) made[position] = expression.evaluate(frame);
  return made;
};

/**
 * Inserts a row. A row whose place in a unique index is taken is an error, unless `arbiters` names the index: then the caller gets the
 * row that has the place.
 * @throws SqlStateError for a row that the table's constraints forbid
 */
export const insertRow = (
  definition: TableDefinition,
  given: SqlRow,
  command: SqlCommand,
  arbiters: readonly UniqueIndex[],
): Insertion => {
  const { table, uniques } = definition;
  const row = before(definition, "insert", { fresh: given, old: undefined }, command);
  if (row === null) return { kind: "left out" };
  const values = withGenerated(definition, row, command);
  checkRow(definition, values, command);
  for (const index of [...arbiters, ...uniques.filter((other) => !arbiters.includes(other))]) {
    const version = rivalOf(definition, index, values, command, undefined);
    if (version !== undefined && arbiters.includes(index)) return { kind: "rival", version };
    if (version !== undefined) throw uniqueViolation(index);
  }
  const tuple = table.newTuple();
  tuple.lock(command.transaction, "update");
  const version = write(definition, tuple, values, command, false);
  checkReferences(definition, version, undefined, command);
  after(definition, "insert", { fresh: values, old: undefined }, command);
  return { kind: "inserted", version };
};

const write = (
  { table }: TableDefinition,
  tuple: Tuple,
  values: SqlRow,
  command: SqlCommand,
  isDeletion: boolean,
): TupleVersion => command.transaction.write(table, tuple, { values, command: command.number, isDeletion });

/** Whether this command has changed the row already: a command changes a row once. */
const isChanged = (version: TupleVersion, { transaction, number }: SqlCommand): boolean => {
  const { writer, pending } = version.tuple;
  const newest = writer === transaction ? pending.at(-1) : undefined;
  return newest !== undefined && newest !== version && newest.command >= number;
};

/**
 * Updates a row.
 * @param set the columns that the statement sets
 * @returns undefined where a trigger leaves it out, or the command has changed it already
 */
export const updateRow = (
  definition: TableDefinition,
  version: TupleVersion,
  given: SqlRow,
  set: ReadonlySet<number>,
  command: SqlCommand,
): TupleVersion | undefined => {
  const { tuple, values: old } = version;
  const changesKey = definition.uniques.some(
    ({ columns, predicate }) =>
      predicate === undefined &&
      columns.some((column) => compareValues(given[column] ?? null, old[column] ?? null) !== 0),
  );
  lockRow(tuple, command.transaction, changesKey ? "update" : "no key update");
  if (isChanged(version, command)) return undefined;
  const row = before(definition, "update", { fresh: given, old }, command, set);
  if (row === null) return undefined;
  const values = withGenerated(definition, row, command);
  checkRow(definition, values, command);
  keepsReferences(definition, values, old);
  for (const index of definition.uniques)
    if (rivalOf(definition, index, values, command, tuple) !== undefined) throw uniqueViolation(index);
  const written = write(definition, tuple, values, command, false);
  checkReferences(definition, written, old, command);
  after(definition, "update", { fresh: values, old }, command, set);
  return written;
};

const keepsReferences = ({ table, referencedBy }: TableDefinition, values: SqlRow, old: SqlRow): void => {
  for (const { keys } of referencedBy)
    if (keys.some((key) => compareValues(values[key] ?? null, old[key] ?? null) !== 0))
      throw new UnknownSql(`a change of a key of ${table.name} to which other rows refer`);
};

/** A deferred key is checked at the commit, another one at the end of the command. */
const atItsTime = (key: ForeignKey, { transaction, after: later }: SqlCommand, check: () => void): void => {
  if (key.isDeferred) transaction.defer(check);
  else later.push(check);
};

/** Deletes a row. @returns whether it did: a trigger may leave it out, and a command deletes a row once */
export const deleteRow = (
  definition: TableDefinition,
  version: TupleVersion,
  command: SqlCommand,
): boolean => {
  const { tuple, values } = version;
  lockRow(tuple, command.transaction, "update");
  if (isChanged(version, command)) return false;
  if (before(definition, "delete", { fresh: undefined, old: values }, command) === null) return false;
  write(definition, tuple, values, command, true);
  for (const key of definition.referencedBy)
    atItsTime(key, command, () => {
      const referring = referringTo(key, values, command.transaction);
      if (key.cascades) for (const child of referring) deleteRow(key.from, child, command);
      else if (referring.length > 0)
        throw new SqlStateError(
          "23503",
          `update or delete on table "${definition.table.name}" violates foreign key constraint "${key.name}" on table "${key.from.table.name}"`,
          key.name,
        );
    });
  after(definition, "delete", { fresh: undefined, old: values }, command);
  return true;
};
