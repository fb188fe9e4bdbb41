import { z } from "zod";
import type { LedgerJson } from "../../json.ts";
import type { BitcoindEffect, BitcoindEvent } from "../advance.ts";
import type { BitcoindState } from "../state.ts";
import type { BitcoindRefusal } from "../submission.ts";
import { RPC_CODES, refusalOfIssue } from "./rpc-error.ts";

/** A running ledger, as RPC methods use it. */
export interface BitcoindView {
  readonly state: BitcoindState;
  /** seconds since 1970 */
  readonly now: number;
  apply(event: BitcoindEvent): readonly BitcoindEffect[];
}

export type BitcoindAnswer =
  | { readonly kind: "result"; readonly result: LedgerJson }
  | ({ readonly kind: "error" } & BitcoindRefusal)
  /** the connection is closed without an answer */
  | { readonly kind: "lost" };

export interface BitcoindMethod {
  /** @param given the parameters: a list in order, or an object by name */
  answer(ledger: BitcoindView, given: unknown): BitcoindAnswer;
}

export const bitcoindResult = (result: LedgerJson): BitcoindAnswer => ({ kind: "result", result });

export const bitcoindError = (code: number, message: string): BitcoindAnswer => ({
  kind: "error",
  code,
  message,
});

/** The JSON type of a value, by the name that a node's JSON library uses. */
const typeOf = (value: unknown): string => {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  return typeof value === "boolean" ? "bool" : typeof value;
};

const EXPECTED: Readonly<Record<string, string>> = { boolean: "bool", int: "number", record: "object" };

/** Converts positional parameters to named ones; null marks an omitted one. */
const namedParameters = (
  names: readonly string[],
  given: unknown,
): Readonly<Record<string, unknown>> | BitcoindRefusal => {
  const entries: readonly (readonly [string, unknown])[] = Array.isArray(given)
    ? given.map((value: unknown, at) => [names[at] ?? "", value])
    : Object.entries(given ?? {});
  const unknown = entries.find(([name]) => !names.includes(name));
  if (unknown !== undefined) {
    return Array.isArray(given)
      ? { code: RPC_CODES.misc, message: names.join(" ") }
      : { code: RPC_CODES.invalidParameter, message: `Unknown named parameter ${unknown[0]}` };
  }
  return Object.fromEntries(entries.filter(([, value]) => value !== null));
};

const isRefusal = (value: Readonly<Record<string, unknown>> | BitcoindRefusal): value is BitcoindRefusal =>
  "code" in value && "message" in value;

const refusalOf = (
  issue: z.core.$ZodIssue,
  names: readonly string[],
  given: Readonly<Record<string, unknown>>,
): BitcoindRefusal => {
  const own = refusalOfIssue(issue);
  if (own !== undefined) return own;
  const name = String(issue.path[0]);
  const value = given[name];
  if (value === undefined) return { code: RPC_CODES.misc, message: names.join(" ") };
  if (issue.path.length > 1 || issue.code !== "invalid_type") {
    return {
      code: RPC_CODES.invalidParameter,
      message: `Invalid parameter, ${issue.path.join(".")}: ${issue.message}`,
    };
  }
  const types = `JSON value of type ${typeOf(value)} is not of expected type ${EXPECTED[issue.expected] ?? issue.expected}`;
  const position = `Position ${names.indexOf(name) + 1} (${name})`;
  return { code: RPC_CODES.type, message: `Wrong type passed:\n{\n    "${position}": "${types}"\n}` };
};

/**
 * Makes an RPC method. Bad parameters are refused with a node's message, where a node has one of its own.
 * @param name the prefix of usage messages
 * @param shape the parameters, in their order
 */
export const bitcoindMethod = <Shape extends z.ZodRawShape>(
  name: string,
  shape: Shape,
  run: (ledger: BitcoindView, parameters: z.output<z.ZodObject<Shape>>) => BitcoindAnswer,
): BitcoindMethod => {
  const [schema, names] = [z.object(shape), Object.keys(shape)];
  return {
    answer: (ledger, given) => {
      const named = namedParameters(names, given);
      if (isRefusal(named))
        return bitcoindError(named.code, named.code === RPC_CODES.misc ? usage(name, names) : named.message);
      const parsed = schema.safeParse(named);
      if (parsed.success) return run(ledger, parsed.data);
      const [issue] = parsed.error.issues;
      if (issue === undefined) throw new Error("what is wrong has an issue");
      const { code, message } = refusalOf(issue, names, named);
      return bitcoindError(code, code === RPC_CODES.misc ? usage(name, names) : message);
    },
  };
};

const usage = (name: string, names: readonly string[]): string => [name, ...names].join(" ");
