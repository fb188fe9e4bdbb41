import { type AbiFunctionBody, type AbiParameterBody, fail, ok, type Result } from "@conclave/custody";
import { decodeFunctionResult, encodeFunctionData, size } from "viem/utils";
import { argumentsOf } from "./arguments.ts";
import { decodesWithin } from "./decoded-size.ts";

/** Nodes refuse larger transactions (geth, txMaxSize); the limit applies to read-only calls too. */
const CALL_BYTES_MAX: number = 128 * 1024;
/** Limit of a decoded answer. Each value in it costs the main thread some microseconds. */
const DECODED_BYTES_MAX: number = 160 * 1024;

/**
 * The parameter with its full type name, from which selectors are computed: `uint` is short for `uint256` (Contract ABI
 * Specification, "Types").
 */
const inFull = (parameter: AbiParameterBody): AbiParameterBody => ({
  ...parameter,
  type: parameter.type.replace(/^(u?int)(?![0-9])/, "$1256"),
  components: parameter.components?.map(inFull),
});

/** The ABI of one function, as the encoder accepts it. */
const abiOf = (abi: AbiFunctionBody): readonly unknown[] => [
  { ...abi, inputs: abi.inputs.map(inFull), outputs: abi.outputs.map(inFull) },
];

/**
 * Encodes the data of a call.
 *
 * @param given the arguments: a list, or an object with a field for each input; integers of more than 53 bits as digits
 * @returns hex with 0x; InvalidBody for arguments that do not fit the function
 */
export const encodeFunctionCall = (abi: AbiFunctionBody, given: unknown): Result<string> => {
  const args = argumentsOf(given, abi.inputs);
  if (!args.ok) return args;
  const data = encodeFunctionData({ abi: abiOf(abi), functionName: abi.name, args: args.value });
  const message = `takes more than ${CALL_BYTES_MAX} bytes of call data`;
  return size(data) <= CALL_BYTES_MAX
    ? ok(data)
    : fail("InvalidBody", { issues: [{ path: "calldata", message }] }, `calldata ${message}`);
};

/** A contract's answer in JSON: integers as digits. */
const shown = (value: unknown): unknown => {
  if (typeof value === "bigint") return value.toString();
  if (Array.isArray(value)) return value.map(shown);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([field, each]) => [field, shown(each)]));
};

const notOfFunction = (reason: string): Result<never> => fail("ExecutionReverted", { reason }, reason);

/**
 * Decodes a function's answer.
 * @returns the single output, or a list of several; integers as digits; ExecutionReverted when the answer does not fit the
 * function
 */
export const decodeFunctionAnswer = (abi: AbiFunctionBody, answer: string): Result<unknown> => {
  if (abi.outputs.length === 0) return ok([]);
  if (answer === "0x")
    return notOfFunction("there is no contract at the address, or it has no such function");
  if (!decodesWithin(abi.outputs, answer, DECODED_BYTES_MAX)) {
    return notOfFunction(
      `the contract's answer holds more than ${DECODED_BYTES_MAX} bytes when it is decoded`,
    );
  }
  const data = `0x${answer.slice(2)}` as const;
  try {
    return ok(shown(decodeFunctionResult({ abi: abiOf(abi), functionName: abi.name, data })));
  } catch {
    return notOfFunction("the contract's answer is not of this function");
  }
};
