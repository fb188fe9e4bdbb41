import { type AbiParameterBody, fail, ok, type Result } from "@conclave/custody";
import { isAddress } from "viem/utils";
import { z } from "zod";
import { abiArrayOf } from "./abi-array.ts";

const refuse = (path: string, message: string): Result<never> =>
  fail("InvalidBody", { issues: [{ path, message }] }, `${path} ${message}`);

/** An integer of 256 bits has at most 78 digits. */
const DIGITS = /^-?(0|[1-9][0-9]{0,77})$/;

const integerOf = (value: unknown, type: string): bigint | undefined => {
  const digits = typeof value === "number" && Number.isSafeInteger(value) ? String(value) : value;
  if (typeof digits !== "string" || !DIGITS.test(digits)) return undefined;
  const integer = BigInt(digits);
  const bits = Number(/[0-9]+$/.exec(type)?.[0] ?? 256);
  const holds = type.startsWith("u") ? BigInt.asUintN(bits, integer) : BigInt.asIntN(bits, integer);
  return holds === integer ? integer : undefined;
};

const hexOf = (value: unknown, bytes: number | undefined): string | undefined => {
  if (typeof value !== "string" || !/^0x([0-9a-fA-F]{2})*$/.test(value)) return undefined;
  return bytes === undefined || value.length === 2 + 2 * bytes ? value : undefined;
};

/** A value of a type other than array or tuple, as the encoder accepts it; undefined if the value does not fit the type. */
const simpleOf = (value: unknown, type: string): unknown => {
  if (type === "address") return typeof value === "string" && isAddress(value) ? value : undefined;
  if (type === "bool") return typeof value === "boolean" ? value : undefined;
  if (type === "string")
    return typeof value === "string" && !/\p{Surrogate}/u.test(value) ? value : undefined;
  const [, bytes] = /^bytes([0-9]*)$/.exec(type) ?? [];
  return bytes === undefined
    ? integerOf(value, type)
    : hexOf(value, bytes === "" ? undefined : Number(bytes));
};

const listOf = (
  values: readonly unknown[],
  parameterAt: (at: number) => AbiParameterBody,
  path: string,
): Result<readonly unknown[]> => {
  const encodable: unknown[] = [];
  for (const [at, value] of values.entries()) {
    const parameter = parameterAt(at);
    const one = encodableOf(
      value,
      parameter,
      parameter.name ? `${path}.${parameter.name}` : `${path}[${at}]`,
    );
    if (!one.ok) return one;
    encodable.push(one.value);
  }
  return ok(encodable);
};

const encodableOf = (value: unknown, parameter: AbiParameterBody, path: string): Result<unknown> => {
  const array = abiArrayOf(parameter);
  if (array !== undefined) {
    const fits = Array.isArray(value) && (array.length === undefined || value.length === array.length);
    return fits ? listOf(value, () => array.element, path) : refuse(path, `is not a ${parameter.type}`);
  }
  if (parameter.type === "tuple") return argumentsOf(value, parameter.components ?? [], path);
  const simple = simpleOf(value, parameter.type);
  return simple === undefined ? refuse(path, `is not a value of type ${parameter.type}`) : ok(simple);
};

const namedSchema = z.record(z.string(), z.unknown());

/** Values in the order of the parameters, whether given as a list or by name. */
const inOrder = (
  given: unknown,
  parameters: readonly AbiParameterBody[],
  path: string,
): Result<readonly unknown[]> => {
  if (Array.isArray(given)) {
    return given.length === parameters.length
      ? ok(given)
      : refuse(path, `has ${given.length} values for ${parameters.length} inputs`);
  }
  const named = namedSchema.safeParse(given);
  if (!named.success) return refuse(path, "is neither a list of values nor an object of them");
  const values = new Map(Object.entries(named.data));
  const lacking = parameters.find(({ name }) => !values.has(name));
  if (lacking !== undefined)
    return refuse(path, lacking.name ? `lacks ${lacking.name}` : "must be a list: an input has no name");
  const unknown = [...values.keys()].find((field) => parameters.every(({ name }) => name !== field));
  return unknown === undefined
    ? ok(parameters.map(({ name }) => values.get(name)))
    : refuse(path, `has ${JSON.stringify(unknown.slice(0, 64))}, which is no input`);
};

/**
 * Arguments as viem's encoder accepts them: integers as bigint, all others exactly of their type.
 *
 * @param given a list, or an object with a field for each input; integers as digits, or as numbers of at most 53 bits
 * @param path path of the arguments in the body
 * @returns InvalidBody with the path of the first misfit
 */
export const argumentsOf = (
  given: unknown,
  inputs: readonly AbiParameterBody[],
  path = "calldata",
): Result<readonly unknown[]> => {
  const values = inOrder(given, inputs, path);
  return values.ok ? listOf(values.value, (at) => inputs[at] ?? { name: "", type: "" }, path) : values;
};
