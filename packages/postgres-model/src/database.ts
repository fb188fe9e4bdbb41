import type { Node } from "libpg-query";
import type { SqlCommand } from "./compile/frame.ts";
import { lockRow } from "./compile/locking.ts";
import { Compilation, type Query } from "./compile/scope.ts";
import { compileQuery } from "./compile/statement.ts";
import { parseSql } from "./parse.ts";
import { define, emptySchema, type GrowingSchema } from "./schema/define.ts";
import type { Dump } from "./schema/dump.ts";
import { AdvisoryLocks } from "./storage/advisory-locks.ts";
import { ModelTransaction } from "./storage/transaction.ts";
import { toDriver } from "./value/driver.ts";
import { UnknownSql } from "./value/sql-error.ts";

/** The answer to a statement, as node-postgres gives it. */
export interface ModelAnswer {
  readonly rows: unknown[];
  readonly rowCount: number | null;
  readonly command: string;
}

const MICROSECONDS = 1_000;
/** The first transaction has this id: no other number in a statement looks like one. */
const FIRST_XID = 700_000_000;

interface Prepared {
  readonly query: Query;
  readonly compilation: Compilation;
}

/** The tables, locks and transactions of one database. It does nothing by itself: time and turns come from outside. */
export class ModelDatabase {
  readonly #schema: GrowingSchema = emptySchema();
  readonly #dump: Dump | undefined;
  readonly #prepared = new Map<string, Prepared>();
  /** Unix milliseconds: what `now()` tells */
  nowMs: () => number = () => 0;
  #locks = new AdvisoryLocks();
  #xids = FIRST_XID;

  /** @param dump the tables and rows with which the database begins */
  constructor(dump?: Dump) {
    this.#dump = dump;
    const transaction = this.begin();
    for (const text of dump?.definitions ?? []) this.run(transaction, text, []);
    this.#load(transaction);
  }

  get locks(): AdvisoryLocks {
    return this.#locks;
  }

  begin(): ModelTransaction {
    const freshXid = (): number => {
      this.#xids += 1;
      return this.#xids;
    };
    return new ModelTransaction(this.nowMs() * MICROSECONDS, freshXid, this.#locks);
  }

  /** Makes the database as it was in the beginning: its compiled statements are kept. */
  reset(): void {
    for (const { table } of this.#schema.tables.values()) table.clear();
    this.#locks = new AdvisoryLocks();
    this.#xids = FIRST_XID;
    this.#load(this.begin());
  }

  #load(transaction: ModelTransaction): void {
    for (const { text, json } of this.#dump?.rows ?? []) this.run(transaction, text, [json]);
    transaction.commit();
  }

  /**
   * Runs a statement, or several without values, in a transaction. The model undoes the changes of a statement that throws.
   * @throws SqlStateError if the statement fails, LockWait if it has to wait
   */
  run(transaction: ModelTransaction, text: string, values: readonly unknown[]): ModelAnswer {
    const start = transaction.savepoint();
    try {
      return this.#query(text, transaction, values) ?? this.#script(text, transaction);
    } catch (error) {
      transaction.undo(start);
      throw error;
    }
  }

  #query(text: string, transaction: ModelTransaction, values: readonly unknown[]): ModelAnswer | undefined {
    const prepared = this.#prepared.get(text) ?? this.#prepare(text);
    return prepared === undefined ? undefined : this.#execute(prepared, transaction, values);
  }

  /** @returns undefined for a text that is more than a query */
  #prepare(text: string): Prepared | undefined {
    const [first, ...more] = parseSql(text).stmts ?? [];
    const node = first?.stmt;
    if (node === undefined || more.length > 0) return undefined;
    if (!("SelectStmt" in node || "InsertStmt" in node || "UpdateStmt" in node || "DeleteStmt" in node))
      return undefined;
    const compilation = new Compilation(this.#schema, compileQuery);
    const query = compileQuery(node, { entries: [], tables: new Map(), parent: undefined }, compilation);
    const prepared = { query, compilation };
    this.#prepared.set(text, prepared);
    return prepared;
  }

  #execute(
    { query, compilation }: Prepared,
    transaction: ModelTransaction,
    given: readonly unknown[],
  ): ModelAnswer {
    transaction.command += 1;
    const after: (() => void)[] = [];
    const command: SqlCommand = {
      transaction,
      number: transaction.command,
      locks: this.#locks,
      given,
      after,
    };
    const { rows, count } = query.run(compilation.frame(command));
    for (const work of after) work();
    const { columns } = query;
    const shown = rows.map((row) => {
      const made: Record<string, unknown> = {};
      for (const [index, { name, type }] of columns.entries())
        made[name] = toDriver(row[index] ?? null, type);
      return made;
    });
    return { rows: shown, rowCount: count, command: "" };
  }

  /** Checks a setting: the model has none, and these two change only how long a statement waits or lasts. */
  #set(name: string): void {
    if (!["lock_timeout", "statement_timeout"].includes(name)) throw new UnknownSql(`the setting ${name}`);
  }

  /** Deletes all rows, without triggers. */
  #truncate(relations: readonly Node[], transaction: ModelTransaction): void {
    transaction.command += 1;
    for (const relation of relations) {
      const name = "RangeVar" in relation ? (relation.RangeVar.relname ?? "") : "";
      const table = this.#schema.tables.get(name)?.table;
      if (table === undefined) throw new UnknownSql(`truncate of ${name}`);
      for (const tuple of [...table.tuples()]) {
        const version = tuple.newestFor(transaction);
        if (version === undefined) continue;
        lockRow(tuple, transaction, "update");
        transaction.write(table, tuple, {
          values: version.values,
          command: transaction.command,
          isDeletion: true,
        });
      }
    }
  }

  /** Statements that define something, set a setting, or are several. */
  #script(text: string, transaction: ModelTransaction): ModelAnswer {
    const statements = parseSql(text).stmts ?? [];
    for (const { stmt, stmt_location: from = 0, stmt_len } of statements) {
      if (stmt === undefined) continue;
      const source = text.slice(from, stmt_len === undefined ? undefined : from + stmt_len);
      if ("VariableSetStmt" in stmt) {
        this.#set(stmt.VariableSetStmt.name ?? "");
        continue;
      }
      if ("NotifyStmt" in stmt) {
        transaction.announce(stmt.NotifyStmt.conditionname ?? "");
        continue;
      }
      if ("TruncateStmt" in stmt) {
        this.#truncate(stmt.TruncateStmt.relations ?? [], transaction);
        continue;
      }
      if (define(stmt, source, this.#schema)) this.#prepared.clear();
      else this.#query(source, transaction, []);
    }
    return { rows: [], rowCount: 0, command: "" };
  }
}
