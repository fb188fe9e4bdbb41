import { type AbiFunctionBody, type AbiParameterBody, fail, ok, type Result } from "@conclave/custody";
import { decodeFunctionResult, encodeFunctionData } from "viem/utils";
import { z } from "zod";

/** The ABI of one function, as the encoder takes it. */
const abiOf = (abi: AbiFunctionBody): readonly unknown[] => [abi];

const refuse = (message: string): Result<never> =>
  fail("InvalidBody", { issues: [{ path: "calldata", message }] }, `calldata ${message}`);

const INTEGER = /^-?(0|[1-9][0-9]{0,77})$/;

/** A value of JSON as the encoder takes it: integers as such, of digits or numbers, and tuples by the names of their components. */
const encodable = (value: unknown, { type, components }: AbiParameterBody): unknown => {
  const array = /^(.*)\[[0-9]*\]$/.exec(type);
  if (array !== null) {
    const element = { name: "", type: array[1] ?? "", components };
    return Array.isArray(value) ? value.map((each) => encodable(each, element)) : value;
  }
  if (type === "tuple") return argumentsOf(value, components ?? []);
  if (!/^u?int/.test(type)) return value;
  const digits = typeof value === "number" ? String(value) : value;
  return typeof digits === "string" && INTEGER.test(digits) ? BigInt(digits) : undefined;
};

const namedSchema = z.record(z.string(), z.unknown());

/** Arguments in their order: they are given as a list, or by their names. */
const argumentsOf = (given: unknown, inputs: readonly AbiParameterBody[]): readonly unknown[] => {
  if (Array.isArray(given))
    return given.map((each, at) => encodable(each, inputs[at] ?? { name: "", type: "" }));
  const named = namedSchema.safeParse(given);
  return inputs.map((input) => encodable(named.success ? named.data[input.name] : undefined, input));
};

/**
 * The data of a call.
 *
 * @param given the arguments: a list, or an object with a field for each input; integers of more than 53 bits as digits
 * @returns hex with 0x; InvalidBody for arguments that are not those of the function
 */
export const encodeFunctionCall = (abi: AbiFunctionBody, given: unknown): Result<string> => {
  const args = argumentsOf(given, abi.inputs);
  if (args.length !== abi.inputs.length)
    return refuse(`has ${args.length} values for ${abi.inputs.length} inputs`);
  if (args.includes(undefined)) return refuse("lacks an input, or gives it another form than its type has");
  try {
    return ok(encodeFunctionData({ abi: abiOf(abi), functionName: abi.name, args }));
  } catch {
    // values that the caller chose: the encoder finds out while it is at them
    return refuse("does not fit the function's inputs");
  }
};

/** What a contract answered as JSON has it: integers as digits. */
const shown = (value: unknown): unknown => {
  if (typeof value === "bigint") return value.toString();
  if (Array.isArray(value)) return value.map(shown);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([field, each]) => [field, shown(each)]));
};

const notOfFunction = (reason: string): Result<never> => fail("ExecutionReverted", { reason }, reason);

/**
 * Decodes what a function answered.
 * @returns the one output, or a list of several; integers as digits; ExecutionReverted when the answer is none of the function's
 */
export const decodeFunctionAnswer = (abi: AbiFunctionBody, answer: string): Result<unknown> => {
  if (abi.outputs.length === 0) return ok([]);
  if (answer === "0x")
    return notOfFunction("there is no contract at the address, or it has no such function");
  const data = `0x${answer.slice(2)}` as const;
  try {
    return ok(shown(decodeFunctionResult({ abi: abiOf(abi), functionName: abi.name, data })));
  } catch {
    return notOfFunction("the contract's answer is not of this function");
  }
};
