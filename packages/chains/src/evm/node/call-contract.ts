import { type AbiFunctionBody, fail, ok, type Result } from "@conclave/custody";
import { isAddress, size } from "viem";
import { call } from "viem/actions";
import { decodeFunctionAnswer, encodeFunctionCall } from "../functions/function-call.ts";
import { ask, type Rpc } from "./rpc.ts";

/** The longest answer that is accepted, in bytes: decoding its 4096 values takes the main thread 15 to 40 ms. */
const ANSWER_BYTES_MAX: number = 128 * 1024;

/** Calls a contract at the newest block (eth_call); an account without code answers `0x`. */
export const callContract = async (
  network: string,
  rpc: Rpc,
  contract: string,
  data: string,
): Promise<Result<string>> => {
  if (!isAddress(contract)) return fail("AddressInvalid", { field: "contract" });
  const asked = { to: contract, data: `0x${data.slice(2)}` } as const;
  const answered = await ask(network, () => call(rpc, asked));
  if (!answered.ok) return answered;
  const answer = answered.value.data ?? "0x";
  const reason = `the contract answers more than ${ANSWER_BYTES_MAX} bytes`;
  return size(answer) > ANSWER_BYTES_MAX
    ? fail("ExecutionReverted", { network, reason }, reason)
    : ok(answer);
};

/** Calls a function of a contract, by its ABI. */
export const callFunction = async (
  network: string,
  rpc: Rpc,
  contract: string,
  abi: AbiFunctionBody,
  given: unknown,
): Promise<Result<unknown>> => {
  const data = encodeFunctionCall(abi, given);
  if (!data.ok) return data;
  const answer = await callContract(network, rpc, contract, data.value);
  return answer.ok ? decodeFunctionAnswer(abi, answer.value) : answer;
};
