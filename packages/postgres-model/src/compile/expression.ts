import type { A_Const, A_Expr, CollateClause, FuncCall, Node, SubLink } from "libpg-query";
import { parseValue } from "../value/cast.ts";
import { compareValues, equalRecords, isRow } from "../value/compare.ts";
import { SqlStateError, UnknownSql } from "../value/sql-error.ts";
import { arrayType, elementType, type SqlType, type SqlValue } from "../value/value.ts";
import { compileAggregate, compileNumbering, isAggregate } from "./aggregate.ts";
import { coerced, commonType, together } from "./coerce.ts";
import type { Expression, Frame } from "./frame.ts";
import { functionCall, intervalOf } from "./functions.ts";
import { binary, distinct } from "./operators.ts";
import { type Compilation, findEntry, nameIn, resolveColumn, type Scope, typeNamed } from "./scope.ts";

/** Compiles an expression of a parsed statement. @throws UnknownSql for a form that the model does not know */
export const compileExpression = (
  node: Node | undefined,
  scope: Scope,
  compilation: Compilation,
): Expression => {
  if (node === undefined) throw new UnknownSql("an expression that is not there");
  const inner = (part: Node | undefined): Expression => compileExpression(part, scope, compilation);
  if ("ColumnRef" in node) return columnOrRow(node.ColumnRef.fields ?? [], scope, compilation);
  if ("ParamRef" in node) return parameter(node.ParamRef.number ?? 0, compilation);
  if ("A_Const" in node) return constant(node.A_Const);
  if ("TypeCast" in node) {
    const type = typeNamed(node.TypeCast.typeName ?? {});
    return coerced(inner(node.TypeCast.arg), type);
  }
  if ("BoolExpr" in node) return logical(node.BoolExpr.boolop ?? "", (node.BoolExpr.args ?? []).map(inner));
  if ("A_Expr" in node) return operator(node.A_Expr, inner);
  if ("NullTest" in node) return nullTest(inner(node.NullTest.arg), node.NullTest.nulltesttype === "IS_NULL");
  if ("BooleanTest" in node)
    return booleanTest(inner(node.BooleanTest.arg), node.BooleanTest.booltesttype ?? "");
  if ("FuncCall" in node) return call(node.FuncCall, scope, compilation, inner);
  if ("CoalesceExpr" in node) return functionCall("coalesce", (node.CoalesceExpr.args ?? []).map(inner));
  if ("MinMaxExpr" in node)
    return functionCall(
      node.MinMaxExpr.op === "IS_LEAST" ? "least" : "greatest",
      (node.MinMaxExpr.args ?? []).map(inner),
    );
  if ("CaseExpr" in node) return caseOf(node.CaseExpr, inner);
  if ("RowExpr" in node) return record((node.RowExpr.args ?? []).map(inner));
  if ("A_ArrayExpr" in node) return array((node.A_ArrayExpr.elements ?? []).map(inner));
  if ("A_Indirection" in node) return element(node.A_Indirection, inner);
  if ("CollateClause" in node) return collated(node.CollateClause, inner);
  if ("SubLink" in node) return subquery(node.SubLink, scope, compilation);
  if ("SQLValueFunction" in node) return { type: "text", evaluate: () => "owner" };
  throw new UnknownSql(`the expression ${Object.keys(node).join()}`);
};

/** Text is compared as with the collation C everywhere. */
const collated = (
  { arg, collname = [] }: CollateClause,
  inner: (node: Node | undefined) => Expression,
): Expression => {
  const name = nameIn(collname.at(-1));
  if (name !== "C") throw new UnknownSql(`the collation ${name}`);
  const value = inner(arg);
  if (value.type !== "text" && value.type !== "unknown") throw new UnknownSql(`a collation of ${value.type}`);
  return value;
};

const columnOrRow = (fields: readonly Node[], scope: Scope, compilation: Compilation): Expression => {
  const names = fields.map(nameIn);
  const [only = ""] = names;
  const entry = names.length === 1 ? findEntry(only, scope) : undefined;
  const isColumn = entry?.columns.some(({ name }) => name === only) ?? true;
  if (entry === undefined || isColumn) return resolveColumn(names, scope, compilation);
  compilation.use(entry.slot);
  return {
    type: "record",
    evaluate: ({ slots }) => {
      const values = slots[entry.slot]?.values;
      return values === undefined ? null : entry.columns.map((_, index) => values[index] ?? null);
    },
  };
};

const parameter = (number: number, compilation: Compilation): Expression => ({
  type: "unknown",
  evaluate: () => {
    throw new UnknownSql(`the type of $${number}`);
  },
  typed: (type) => compilation.parameter(number, type),
});

const constant = (constant: A_Const): Expression => {
  const { ival, fval, boolval, sval, isnull } = constant;
  if (isnull === true) return literal(null);
  if (sval !== undefined) return literal(sval.sval ?? "");
  if (boolval !== undefined) return fixed("bool", boolval.boolval ?? false);
  if (fval !== undefined) return number(fval.fval ?? "0");
  if (ival !== undefined) return fixed("int4", ival.ival ?? 0);
  throw new UnknownSql(`the constant ${JSON.stringify(constant)}`);
};

const number = (text: string): Expression => {
  const type: SqlType = /^\d+$/.test(text) ? "int8" : "numeric";
  return fixed(type, parseValue(text, type));
};

const fixed = (type: SqlType, value: SqlValue): Expression => ({ type, evaluate: () => value });

const literal = (text: string | null): Expression => ({
  type: "unknown",
  evaluate: () => text,
  typed: (type) => fixed(type, text === null ? null : parseValue(text, type)),
});

const logical = (operator: string, given: readonly Expression[]): Expression => {
  const parts = given.map((part) => coerced(part, "bool"));
  const [first] = parts;
  if (operator === "NOT_EXPR" && first !== undefined)
    return {
      type: "bool",
      evaluate: (frame) => {
        const value = first.evaluate(frame);
        return value === null ? null : value !== true;
      },
    };
  // one value decides at once; otherwise NULL does, if there is one
  const decides = operator === "OR_EXPR";
  return {
    type: "bool",
    evaluate: (frame) => {
      let result: boolean | null = !decides;
      for (const part of parts) {
        const value = part.evaluate(frame);
        if (value === decides) return decides;
        if (value === null) result = null;
      }
      return result;
    },
  };
};

const operator = (
  { kind, name = [], lexpr, rexpr }: A_Expr,
  inner: (node: Node | undefined) => Expression,
): Expression => {
  const symbol = nameIn(name.at(-1));
  switch (kind) {
    case "AEXPR_OP":
    case "AEXPR_LIKE":
      if (lexpr === undefined) return binary(symbol, fixed("int4", 0), inner(rexpr));
      return binary(symbol, inner(lexpr), inner(rexpr));
    case "AEXPR_OP_ANY":
    case "AEXPR_OP_ALL":
      return withEach(symbol, inner(lexpr), inner(rexpr), kind === "AEXPR_OP_ANY");
    case "AEXPR_DISTINCT":
    case "AEXPR_NOT_DISTINCT":
      return distinct(inner(lexpr), inner(rexpr), kind === "AEXPR_NOT_DISTINCT");
    case "AEXPR_IN":
      return inList(inner(lexpr), listOf(rexpr).map(inner), symbol === "<>");
    case "AEXPR_NULLIF": {
      const [left, same] = [inner(lexpr), binary("=", inner(lexpr), inner(rexpr))];
      return { ...left, evaluate: (frame) => (same.evaluate(frame) === true ? null : left.evaluate(frame)) };
    }
    case "AEXPR_BETWEEN": {
      const [low, high] = listOf(rexpr);
      return logical("AND_EXPR", [
        binary(">=", inner(lexpr), inner(low)),
        binary("<=", inner(lexpr), inner(high)),
      ]);
    }
    default:
      throw new UnknownSql(`the operator ${kind}`);
  }
};

const listOf = (node: Node | undefined): readonly Node[] => {
  if (node !== undefined && "List" in node) return node.List.items ?? [];
  throw new UnknownSql("a list that is none");
};

const inList = (left: Expression, items: readonly Expression[], isNegated: boolean): Expression => {
  const found = logical(
    "OR_EXPR",
    items.map((item) => binary("=", left, item)),
  );
  return isNegated ? logical("NOT_EXPR", [found]) : found;
};

const withEach = (symbol: string, left: Expression, list: Expression, isAny: boolean): Expression => {
  const type = list.type === "unknown" ? arrayType(left.type === "unknown" ? "text" : left.type) : list.type;
  const values = coerced(list, type);
  let current: SqlValue = null;
  const one: Expression = { type: elementType(type), evaluate: () => current };
  const compared = binary(symbol, left, one);
  return {
    type: "bool",
    evaluate: (frame) => {
      const all = values.evaluate(frame);
      if (all === null || !isRow(all)) return null;
      let result: boolean | null = !isAny;
      for (const value of all) {
        current = value;
        const is = compared.evaluate(frame);
        if (is === isAny) return isAny;
        if (is === null) result = null;
      }
      return result;
    },
  };
};

const nullTest = (part: Expression, isNull: boolean): Expression => ({
  type: "bool",
  evaluate: (frame) => (part.evaluate(frame) === null) === isNull,
});

const booleanTest = (part: Expression, test: string): Expression => {
  const wanted = test.includes("TRUE");
  const isNegated = test.startsWith("IS_NOT");
  if (test.includes("UNKNOWN")) return nullTest(part, !isNegated);
  return { type: "bool", evaluate: (frame) => (part.evaluate(frame) === wanted) !== isNegated };
};

const call = (
  node: FuncCall,
  scope: Scope,
  compilation: Compilation,
  inner: (node: Node | undefined) => Expression,
): Expression => {
  const name = nameIn(node.funcname?.at(-1));
  if (node.over !== undefined) return compileNumbering(name, node.over, scope, compilation, inner);
  if (isAggregate(name)) return compileAggregate(name, node, scope, inner);
  const values = node.args ?? [];
  if (name === "make_interval")
    return intervalOf(
      values.map((value) => {
        if (!("NamedArgExpr" in value)) throw new UnknownSql("make_interval without names");
        return { unit: value.NamedArgExpr.name ?? "", amount: inner(value.NamedArgExpr.arg) };
      }),
    );
  const own = compilation.schema.functions.get(name);
  const given = values.map(inner);
  if (own === undefined) return functionCall(name, given);
  const known = given.map((value) => (value.type === "unknown" ? coerced(value, "text") : value));
  return {
    type: own.type,
    evaluate: (frame) =>
      own.call(
        frame.command,
        known.map((value) => value.evaluate(frame)),
      ),
  };
};

const caseOf = (
  { arg, args = [], defresult }: Extract<Node, { CaseExpr: unknown }>["CaseExpr"],
  inner: (node: Node | undefined) => Expression,
): Expression => {
  const branches = args.map((branch) => {
    if (!("CaseWhen" in branch)) throw new UnknownSql("a case without when");
    const { expr, result } = branch.CaseWhen;
    const condition = arg === undefined ? inner(expr) : binary("=", inner(arg), inner(expr));
    return { condition, result: inner(result) };
  });
  const otherwise = defresult === undefined ? literal(null) : inner(defresult);
  const results = [...branches.map(({ result }) => result), otherwise];
  const type = results.every((result) => result.type === "record")
    ? "record"
    : commonType(results.map((result) => result.type).filter((known) => known !== "record"));
  const typed = results.map((result) => (result.type === "record" ? result : coerced(result, type)));
  return {
    type: results.find((result) => result.type === "record")?.type ?? type,
    evaluate: (frame) => {
      const at = branches.findIndex(({ condition }) => condition.evaluate(frame) === true);
      return (typed.at(at) ?? otherwise).evaluate(frame);
    },
  };
};

const record = (parts: readonly Expression[]): Expression => ({
  type: "record",
  evaluate: (frame) => parts.map((part) => part.evaluate(frame)),
});

const array = (given: readonly Expression[]): Expression => {
  const parts = together(given);
  const type = arrayType(commonType(parts.map((part) => part.type)));
  return { type, evaluate: (frame) => parts.map((part) => part.evaluate(frame)) };
};

const element = (
  { arg, indirection = [] }: Extract<Node, { A_Indirection: unknown }>["A_Indirection"],
  inner: (node: Node | undefined) => Expression,
): Expression => {
  const [place] = indirection;
  if (place === undefined || !("A_Indices" in place) || place.A_Indices.is_slice === true)
    throw new UnknownSql("a place in something else than an array");
  const [list, index] = [inner(arg), coerced(inner(place.A_Indices.uidx), "int4")];
  return {
    type: elementType(list.type),
    evaluate: (frame) => {
      const [values, at] = [list.evaluate(frame), index.evaluate(frame)];
      // subscripts begin with 1
      return values !== null && isRow(values) && typeof at === "number" ? (values[at - 1] ?? null) : null;
    },
  };
};

const subquery = (node: SubLink, scope: Scope, compilation: Compilation): Expression => {
  const { made, slots } = compilation.tracked(() => linked(node, scope, compilation));
  if (slots.size > 0) return made;
  const memo = compilation.newMemo();
  return {
    type: made.type,
    evaluate: (frame) => {
      const known = frame.memos[memo];
      if (known !== undefined) return known;
      const value = made.evaluate(frame);
      frame.memos[memo] = value;
      return value;
    },
  };
};

const linked = (
  { subLinkType, subselect, testexpr, operName }: SubLink,
  scope: Scope,
  compilation: Compilation,
): Expression => {
  if (subselect === undefined) throw new UnknownSql("a subquery without a query");
  const query = compilation.compileQuery(
    subselect,
    { entries: [], tables: new Map(), parent: scope },
    compilation,
  );
  const type = query.columns[0]?.type ?? "text";
  switch (subLinkType) {
    case "EXISTS_SUBLINK":
      return { type: "bool", evaluate: (frame) => query.run(frame, 1).rows.length > 0 };
    case "EXPR_SUBLINK":
      return {
        type,
        evaluate: (frame) => {
          const { rows } = query.run(frame, 2);
          if (rows.length > 1)
            throw new SqlStateError(
              "21000",
              "more than one row returned by a subquery used as an expression",
            );
          return rows[0]?.[0] ?? null;
        },
      };
    case "ARRAY_SUBLINK":
      return {
        type: arrayType(type),
        evaluate: (frame) => query.run(frame).rows.map(([value]) => value ?? null),
      };
    case "ANY_SUBLINK": {
      if (operName !== undefined && nameIn(operName[0]) !== "=")
        throw new UnknownSql("any of a subquery, but =");
      const left = compileExpression(testexpr, scope, compilation);
      return memberOf(left.type === "record" ? left : coerced(left, type), query.run, left.type === "record");
    }
    default:
      throw new UnknownSql(`the subquery ${subLinkType}`);
  }
};

const memberOf = (
  left: Expression,
  run: (frame: Frame) => { readonly rows: readonly (readonly SqlValue[])[] },
  isRecord: boolean,
): Expression => ({
  type: "bool",
  evaluate: (frame) => {
    const value = left.evaluate(frame);
    const { rows } = run(frame);
    if (rows.length === 0) return false;
    if (value === null) return null;
    const isSame = (row: readonly SqlValue[]): boolean | null => {
      if (isRecord) return isRow(value) ? equalRecords(row, value) : null;
      const one = row[0] ?? null;
      return one === null ? null : compareValues(one, value) === 0;
    };
    const found = rows.map(isSame);
    if (found.includes(true)) return true;
    return found.includes(null) ? null : false;
  },
});
