import type { Node } from "libpg-query";
import type { DatabaseSchema } from "../compile/definition.ts";
import { bareFrame, type SqlCommand } from "../compile/frame.ts";
import { Compilation, type Query, type Scope } from "../compile/scope.ts";
import { compileQuery } from "../compile/statement.ts";
import { parseRoutine, parseSql } from "../parse.ts";
import type { BoundRow } from "../storage/tuple.ts";
import { isRow } from "../value/compare.ts";
import { SqlStateError, UnknownSql } from "../value/sql-error.ts";
import type { Column, SqlRow, SqlValue } from "../value/value.ts";

/** Slots of a trigger's rows, and of its variables. */
const NEW = 0;
const OLD = 1;
const VARIABLES = 2;
const FIRST_FREE = 3;

/** A call of a trigger: its rows, and its variables by name. */
interface Call {
  readonly command: SqlCommand;
  fresh: BoundRow | undefined;
  readonly old: BoundRow | undefined;
  readonly variables: Map<string, SqlValue>;
}

/** A step of a routine. @returns the row with which the routine ends; undefined where it goes on */
type Step = (call: Call) => SqlRow | null | undefined;

/** Where a routine runs. */
interface Surroundings {
  readonly schema: DatabaseSchema;
  /** of the table that has the trigger */
  readonly columns: readonly Column[];
  readonly variables: readonly Column[];
}

const FIXED: readonly Column[] = [
  { name: "found", type: "bool" },
  { name: "tg_argv", type: "text[]" },
  { name: "tg_relid", type: "int8" },
  { name: "tg_table_name", type: "text" },
];

/**
 * Compiles the body of a trigger's function, which is in PL/pgSQL.
 * @param source of the whole `create function`
 * @param columns of the trigger's table
 * @param values that the trigger hands to it
 */
export const compileRoutine = (
  source: string,
  schema: DatabaseSchema,
  table: { readonly name: string; readonly columns: readonly Column[] },
  values: readonly string[],
): ((command: SqlCommand, fresh: BoundRow | undefined, old: BoundRow | undefined) => SqlRow | null) => {
  const routine = at(at(parseRoutine(source), "plpgsql_funcs"), 0, "PLpgSQL_function");
  const declared = list(at(routine, "datums")).flatMap((datum): readonly Column[] => {
    const name = at(datum, "PLpgSQL_var", "refname");
    const isDeclared = at(datum, "PLpgSQL_var", "lineno") !== undefined;
    return typeof name === "string" && isDeclared ? [{ name, type: "text" }] : [];
  });
  const surroundings: Surroundings = { schema, columns: table.columns, variables: [...FIXED, ...declared] };
  const block = at(routine, "action", "PLpgSQL_stmt_block", "body");
  const steps = list(block).map((step) => compileStep(step, surroundings));
  return (command, fresh, old) => {
    const variables = new Map<string, SqlValue>([
      ["tg_argv", values],
      ["tg_table_name", table.name],
    ]);
    return runSteps(steps, { command, fresh, old, variables }) ?? null;
  };
};

const runSteps = (steps: readonly Step[], call: Call): SqlRow | null | undefined => {
  for (const step of steps) {
    const end = step(call);
    if (end !== undefined) return end;
  }
  return undefined;
};

/** Reads a tree at a path. @returns undefined where it has nothing */
const at = (tree: unknown, ...path: readonly (string | number)[]): unknown =>
  path.reduce<unknown>(
    (found, key) => (typeof found === "object" && found !== null ? Reflect.get(found, key) : undefined),
    tree,
  );

const list = (tree: unknown): readonly unknown[] => (Array.isArray(tree) ? tree : []);

const queryText = (tree: unknown): string => {
  const text = at(tree, "PLpgSQL_expr", "query");
  if (typeof text === "string") return text;
  throw new UnknownSql("an expression of a routine that is not there");
};

const compileStep = (tree: unknown, surroundings: Surroundings): Step => {
  const [kind = ""] = Object.keys(Object(tree));
  const body = at(tree, kind);
  switch (kind) {
    case "PLpgSQL_stmt_perform":
      return performed(queryText(at(body, "expr")), surroundings);
    case "PLpgSQL_stmt_execsql":
      return executed(body, surroundings);
    case "PLpgSQL_stmt_assign":
      return assigned(queryText(at(body, "expr")), surroundings);
    case "PLpgSQL_stmt_if": {
      const condition = compileValue(queryText(at(body, "cond")), surroundings);
      const then = list(at(body, "then_body")).map((step) => compileStep(step, surroundings));
      const otherwise = list(at(body, "else_body")).map((step) => compileStep(step, surroundings));
      return (call) => runSteps(condition(call) === true ? then : otherwise, call);
    }
    case "PLpgSQL_stmt_return":
      return returned(body, surroundings);
    case "PLpgSQL_stmt_raise":
      return raised(body, surroundings);
    default:
      throw new UnknownSql(`the step ${kind} of a routine`);
  }
};

const scopeOf = ({ columns, variables }: Surroundings): Scope => ({
  entries: [
    { alias: "new", slot: NEW, columns, isTable: false },
    { alias: "old", slot: OLD, columns, isTable: false },
    { alias: "", slot: VARIABLES, columns: variables, isTable: false },
  ],
  tables: new Map(),
  parent: undefined,
});

/** Columns of the trigger's rows are named with `new` or `old`; a name by itself is of a variable. */
const compileText = (
  text: string,
  surroundings: Surroundings,
): ((call: Call) => ReturnType<Query["run"]>) => {
  const compilation = new Compilation(surroundings.schema, compileQuery, FIRST_FREE);
  const query = compileQuery(onlyStatement(text), scopeOf(surroundings), compilation);
  return ({ command, fresh, old, variables }) => {
    const { transaction } = command;
    transaction.command += 1;
    const after: (() => void)[] = [];
    const nested: SqlCommand = { ...command, number: transaction.command, after };
    const frame = compilation.frame(nested);
    frame.slots[NEW] = fresh;
    frame.slots[OLD] = old;
    frame.slots[VARIABLES] = {
      values: surroundings.variables.map(({ name }) => variables.get(name) ?? null),
    };
    const result = query.run(frame);
    for (const work of after) work();
    return result;
  };
};

/** The one statement of a text. */
const onlyStatement = (text: string): Node => {
  const [statement, ...more] = parseSql(text).stmts ?? [];
  if (statement?.stmt === undefined || more.length > 0) throw new UnknownSql("several statements in one");
  return statement.stmt;
};

const compileValue = (text: string, surroundings: Surroundings): ((call: Call) => SqlValue) => {
  const run = compileText(`select ${text}`, surroundings);
  return (call) => run(call).rows[0]?.[0] ?? null;
};

const performed = (text: string, surroundings: Surroundings): Step => {
  const run = compileText(text, surroundings);
  return (call) => {
    call.variables.set("found", run(call).rows.length > 0);
    return undefined;
  };
};

const executed = (body: unknown, surroundings: Surroundings): Step => {
  const run = compileText(queryText(at(body, "sqlstmt")), surroundings);
  const into = at(body, "target", "PLpgSQL_row", "fields", 0, "name");
  return (call) => {
    const { rows, count } = run(call);
    call.variables.set("found", count > 0);
    if (typeof into === "string") call.variables.set(into, rows[0]?.[0] ?? null);
    return undefined;
  };
};

const assigned = (text: string, surroundings: Surroundings): Step => {
  const [, target = "", expression = ""] = /^\s*([a-z_.]+)\s*:?=\s*([\s\S]+)$/.exec(text) ?? [];
  const value = compileValue(expression, surroundings);
  const [row, column = ""] = target.split(".");
  const position = surroundings.columns.findIndex(({ name }) => name === column);
  if (row !== "new" || position < 0) throw new UnknownSql(`an assignment to ${target}`);
  return (call) => {
    const values = [...(call.fresh?.values ?? [])];
    values[position] = value(call);
    call.fresh = { values };
    return undefined;
  };
};

const returned = (body: unknown, surroundings: Surroundings): Step => {
  if (at(body, "expr") === undefined) {
    const isOld = at(body, "retvarno") === OLD;
    return ({ fresh, old }) => (isOld ? old : fresh)?.values ?? null;
  }
  const value = compileValue(queryText(at(body, "expr")), surroundings);
  return (call) => {
    const row = value(call);
    return row !== null && isRow(row) ? row : null;
  };
};

/** SQLSTATEs by the names that routines raise. */
const CONDITIONS: Readonly<Record<string, string>> = { insufficient_privilege: "42501" };
const RAISED = "P0001";

const raised = (body: unknown, surroundings: Surroundings): Step => {
  const message = String(at(body, "message"));
  const values = list(at(body, "params")).map((value) => compileValue(queryText(value), surroundings));
  const option = at(body, "options", 0, "PLpgSQL_raise_option", "expr");
  const condition = option === undefined ? undefined : compileValue(queryText(option), surroundings);
  return (call) => {
    const texts = values.map((value) => String(value(call)));
    const code = condition === undefined ? RAISED : CONDITIONS[String(condition(call))];
    throw new SqlStateError(
      code ?? RAISED,
      message.replace(/%/g, () => texts.shift() ?? ""),
    );
  };
};

/** Compiles the body of a function in SQL, which is one select of its values. */
export const compileSqlFunction = (
  body: string,
  schema: DatabaseSchema,
  values: readonly Column[],
): ((command: SqlCommand, given: readonly SqlValue[]) => SqlValue) => {
  const compilation = new Compilation(schema, compileQuery, 1);
  const scope: Scope = {
    entries: [{ alias: "", slot: 0, columns: values, isTable: false }],
    tables: new Map(),
    parent: undefined,
  };
  const query = compileQuery(onlyStatement(body), scope, compilation);
  return (command, given) => {
    const frame = { ...compilation.frame(command), slots: bareFrame(command, { values: given }).slots };
    return query.run(frame).rows[0]?.[0] ?? null;
  };
};
