import { castOf } from "../value/cast.ts";
import { UnknownSql } from "../value/sql-error.ts";
import type { SqlType } from "../value/value.ts";
import type { Expression } from "./frame.ts";

/** An expression as one of another type: a literal gets it, another one is cast. */
export const coerced = (expression: Expression, type: SqlType): Expression => {
  if (expression.type === type) return expression;
  if (expression.typed !== undefined) return expression.typed(type);
  const cast = castOf(expression.type, type);
  const { evaluate } = expression;
  return {
    type,
    evaluate: (frame) => {
      const value = evaluate(frame);
      return value === null ? null : cast(value);
    },
  };
};

const NUMBERS: readonly SqlType[] = ["int4", "int8", "numeric", "float8"];

/** The one type of expressions that meet in one place, such as the operands of a comparison. */
export const commonType = (types: readonly SqlType[]): SqlType => {
  const known = types.filter((type) => type !== "unknown");
  const [first] = known;
  if (first === undefined) return "text";
  if (known.every((type) => type === first)) return first;
  const ranks = known.map((type) => NUMBERS.indexOf(type));
  const highest = NUMBERS[Math.max(...ranks)];
  if (highest === undefined || ranks.includes(-1)) throw new UnknownSql(`one type of ${known.join(" and ")}`);
  return highest;
};

/** Expressions brought to one type. */
export const together = (expressions: readonly Expression[]): readonly Expression[] => {
  const type = commonType(expressions.map((expression) => expression.type));
  return expressions.map((expression) => coerced(expression, type));
};
