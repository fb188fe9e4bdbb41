import type { SqlTable } from "../storage/table.ts";
import type { BoundRow } from "../storage/tuple.ts";
import type { SqlRow, SqlValue } from "../value/value.ts";
import type { Expression, SqlCommand } from "./frame.ts";

/** An expression of a table's row, which is bound to slot 0. */
interface NamedExpression {
  readonly name: string;
  readonly expression: Expression;
}

export interface UniqueIndex {
  readonly name: string;
  readonly columns: readonly number[];
  /** rows for which it is not true are not in the index */
  readonly predicate: Expression | undefined;
}

export interface ForeignKey {
  readonly name: string;
  readonly from: TableDefinition;
  readonly columns: readonly number[];
  readonly to: TableDefinition;
  readonly keys: readonly number[];
  readonly isDeferred: boolean;
  /** whether the rows that refer to a deleted one are deleted too */
  readonly cascades: boolean;
}

export type TriggerEvent = "insert" | "update" | "delete";

export interface Trigger {
  readonly name: string;
  readonly timing: "before" | "after";
  readonly events: readonly TriggerEvent[];
  /** for updates: columns of which one must be set; empty for all */
  readonly columns: readonly number[];
  /** over the new row in slot 0 and the old one in slot 1 */
  readonly when: Expression | undefined;
  /** @returns the row that goes on; null leaves it out */
  readonly fire: (
    command: SqlCommand,
    fresh: BoundRow | undefined,
    old: BoundRow | undefined,
  ) => SqlRow | null;
}

/** A table with all that its definition demands of its rows. */
export interface TableDefinition {
  readonly table: SqlTable;
  readonly notNull: Set<number>;
  readonly defaults: Map<number, Expression>;
  readonly identities: Set<number>;
  readonly generated: Map<number, Expression>;
  readonly checks: NamedExpression[];
  readonly uniques: UniqueIndex[];
  readonly references: ForeignKey[];
  readonly referencedBy: ForeignKey[];
  readonly triggers: Trigger[];
}

/** A function that the schema defines in SQL. */
export type SqlFunction = (command: SqlCommand, values: readonly SqlValue[]) => SqlValue;

/** The tables and functions of a database. */
export interface DatabaseSchema {
  readonly tables: Map<string, TableDefinition>;
  readonly functions: Map<string, { readonly type: Expression["type"]; readonly call: SqlFunction }>;
}
