import type { InsertStmt, Node, OnConflictClause } from "libpg-query";
import type { BoundRow } from "../storage/tuple.ts";
import { SqlStateError, UnknownSql } from "../value/sql-error.ts";
import type { SqlRow, SqlValue } from "../value/value.ts";
import { coerced } from "./coerce.ts";
import type { TableDefinition, UniqueIndex } from "./definition.ts";
import { compileExpression } from "./expression.ts";
import { bareFrame, type Expression, type Frame, type SqlCommand } from "./frame.ts";
import { tableItem } from "./from.ts";
import { lockRow } from "./locking.ts";
import type { Compilation, Query, Scope } from "./scope.ts";
import { compileTargets } from "./select.ts";
import { compileAssignments } from "./update.ts";
import { insertRow, updateRow } from "./write.ts";

/** Compiles an insert without its `with`. */
export const compileInsert = (statement: InsertStmt, parent: Scope, compilation: Compilation): Query => {
  const { relation, cols, selectStmt, onConflictClause, returningClause } = statement;
  const name = relation?.relname ?? "";
  const scope: Scope = { entries: [], tables: new Map(), parent };
  const { entry } = tableItem(name, relation?.alias?.aliasname ?? name, scope, compilation);
  const definition = definitionOf(name, compilation);
  const positions = columnsOf(definition, cols);
  const wanted = positions.map((position) => definition.table.columns[position]?.type);
  if (selectStmt === undefined) throw new UnknownSql("an insert of defaults alone");
  const source = compilation.compileQuery(
    selectStmt,
    { entries: [], tables: new Map(), parent },
    compilation,
    wanted,
  );
  const returning = compileTargets(returningClause?.exprs ?? [], scope, compilation);
  const conflict =
    onConflictClause === undefined
      ? undefined
      : compileConflict(onConflictClause, definition, scope, compilation);
  return {
    columns: returning.map(({ name: column, type }) => ({ name: column, type })),
    run: (frame) => {
      const rows: SqlRow[] = [];
      let count = 0;
      for (const values of source.run(frame).rows) {
        const row = withDefaults(definition, positions, values, frame.command);
        const made = insertOne(definition, row, frame, conflict, entry.slot);
        if (made === undefined) continue;
        count += 1;
        frame.slots[entry.slot] = made;
        if (returning.length > 0) rows.push(returning.map(({ expression }) => expression.evaluate(frame)));
      }
      return { rows, count };
    },
  };
};

const definitionOf = (name: string, { schema }: Compilation): TableDefinition => {
  const definition = schema.tables.get(name);
  if (definition === undefined) throw new SqlStateError("42P01", `relation "${name}" does not exist`);
  return definition;
};

const columnsOf = ({ table }: TableDefinition, cols: readonly Node[] | undefined): readonly number[] => {
  if (cols === undefined) return table.columns.map((_, position) => position);
  return cols.map((node) => {
    const name = "ResTarget" in node ? (node.ResTarget.name ?? "") : "";
    const position = table.position(name);
    if (position === undefined) throw new SqlStateError("42703", `column "${name}" does not exist`);
    return position;
  });
};

const withDefaults = (
  { table, defaults, identities }: TableDefinition,
  positions: readonly number[],
  values: SqlRow,
  command: SqlCommand,
): SqlRow => {
  const frame = bareFrame(command);
  const row: SqlValue[] = table.columns.map((_, position) => {
    if (positions.includes(position)) return null;
    if (identities.has(position)) return table.nextIdentity();
    return defaults.get(position)?.evaluate(frame) ?? null;
  });
  for (const [index, position] of positions.entries()) row[position] = values[index] ?? null;
  return row;
};

interface Conflict {
  readonly arbiters: readonly UniqueIndex[];
  /** absent for `do nothing` */
  readonly update:
    | {
        readonly excluded: number;
        readonly assign: (frame: Frame, old: SqlRow) => SqlRow;
        readonly set: ReadonlySet<number>;
        readonly where: Expression | undefined;
      }
    | undefined;
}

const insertOne = (
  definition: TableDefinition,
  row: SqlRow,
  frame: Frame,
  conflict: Conflict | undefined,
  slot: number,
): BoundRow | undefined => {
  const { command } = frame;
  const made = insertRow(definition, row, command, conflict?.arbiters ?? []);
  if (made.kind === "inserted") return made.version;
  if (made.kind === "left out" || conflict?.update === undefined) return undefined;
  const { excluded, assign, set, where } = conflict.update;
  const { version } = made;
  lockRow(version.tuple, command.transaction, "no key update");
  if (version.command === command.number && version.tuple.writer === command.transaction)
    throw new SqlStateError("21000", "ON CONFLICT DO UPDATE command cannot affect row a second time");
  frame.slots[slot] = version;
  frame.slots[excluded] = { values: row };
  if (where !== undefined && where.evaluate(frame) !== true) return undefined;
  return updateRow(definition, version, assign(frame, version.values), set, command);
};

const compileConflict = (
  { action, infer, targetList = [], whereClause }: OnConflictClause,
  definition: TableDefinition,
  scope: Scope,
  compilation: Compilation,
): Conflict => {
  const arbiters = arbitersOf(infer, definition);
  if (action !== "ONCONFLICT_UPDATE") return { arbiters, update: undefined };
  const excluded = compilation.newSlot();
  const inside: Scope = {
    entries: [
      ...scope.entries,
      { alias: "excluded", slot: excluded, columns: definition.table.columns, isTable: false },
    ],
    tables: new Map(),
    parent: scope.parent,
  };
  const where =
    whereClause === undefined
      ? undefined
      : coerced(compileExpression(whereClause, inside, compilation), "bool");
  return {
    arbiters,
    update: { excluded, where, ...compileAssignments(targetList, definition, inside, compilation) },
  };
};

const arbitersOf = (
  infer: OnConflictClause["infer"],
  { table, uniques }: TableDefinition,
): readonly UniqueIndex[] => {
  if (infer === undefined) return uniques;
  const columns = (infer.indexElems ?? []).map((node) => {
    const name = "IndexElem" in node ? node.IndexElem.name : undefined;
    const position = name === undefined ? undefined : table.position(name);
    if (position === undefined)
      throw new UnknownSql(`a conflict on something else than columns of ${table.name}`);
    return position;
  });
  const found = uniques.filter(
    (index) =>
      (index.predicate === undefined || infer.whereClause !== undefined) &&
      index.columns.length === columns.length &&
      columns.every((column) => index.columns.includes(column)),
  );
  if (found.length > 0) return found;
  throw new SqlStateError(
    "42P10",
    "there is no unique or exclusion constraint matching the ON CONFLICT specification",
  );
};
