import type { Node, WithClause } from "libpg-query";
import { UnknownSql } from "../value/sql-error.ts";
import { compileInsert } from "./insert.ts";
import {
  type CommonTable,
  type Compilation,
  type CompileQuery,
  nameIn,
  type Query,
  type Scope,
} from "./scope.ts";
import { compileSelect } from "./select.ts";
import { compileDelete, compileUpdate } from "./update.ts";

/** Compiles a select, an insert, an update or a delete, with its `with`. @throws UnknownSql for another statement */
export const compileQuery: CompileQuery = (node, scope, compilation, wanted) => {
  if ("SelectStmt" in node)
    return withTables(node.SelectStmt.withClause, scope, compilation, (inside) =>
      compileSelect(node.SelectStmt, inside, compilation, wanted),
    );
  if ("InsertStmt" in node)
    return withTables(node.InsertStmt.withClause, scope, compilation, (inside) =>
      compileInsert(node.InsertStmt, inside, compilation),
    );
  if ("UpdateStmt" in node)
    return withTables(node.UpdateStmt.withClause, scope, compilation, (inside) =>
      compileUpdate(node.UpdateStmt, inside, compilation),
    );
  if ("DeleteStmt" in node)
    return withTables(node.DeleteStmt.withClause, scope, compilation, (inside) =>
      compileDelete(node.DeleteStmt, inside, compilation),
    );
  throw new UnknownSql(`the statement ${Object.keys(node).join()}`);
};

/** The queries of a `with` run in their order, before the statement: all of them see what was there before it. */
const withTables = (
  clause: WithClause | undefined,
  parent: Scope,
  compilation: Compilation,
  compile: (scope: Scope) => Query,
): Query => {
  if (clause === undefined) return compile(parent);
  if (clause.recursive === true) throw new UnknownSql("a recursive with");
  const tables = new Map<string, CommonTable>();
  const scope: Scope = { entries: [], tables, parent };
  const parts = (clause.ctes ?? []).map((node: Node) => {
    if (!("CommonTableExpr" in node)) throw new UnknownSql("a with that is none");
    const { ctename = "", ctequery, aliascolnames = [] } = node.CommonTableExpr;
    if (ctequery === undefined) throw new UnknownSql("a with without a query");
    const query = compileQuery(ctequery, scope, compilation);
    const columns = query.columns.map((column, index) => {
      const name = aliascolnames[index];
      return name === undefined ? column : { ...column, name: nameIn(name) };
    });
    const list = compilation.newList();
    tables.set(ctename, { list, slot: compilation.newSlot(), columns });
    return { list, query };
  });
  const main = compile(scope);
  return {
    columns: main.columns,
    run: (frame, most) => {
      for (const { list, query } of parts) frame.lists[list] = query.run(frame).rows;
      return main.run(frame, most);
    },
  };
};
