import { bytesToHex, hexToBytes, utf8ToBytes } from "@noble/hashes/utils.js";
import type { LedgerJson } from "../../json.ts";
import { javaTronBuiltJson } from "../java-tron/build.ts";
import { javaTronCallData } from "../java-tron/selector.ts";
import type { JavaTronRun } from "../rules/applied.ts";
import { type JavaTronView, javaTronBooksOf, javaTronHead } from "../state.ts";
import type { JavaTronBuiltAct } from "../transaction/encode.ts";
import type { JavaTronRequest } from "./request.ts";
import type { JavaTronNode } from "./running.ts";

/** Default of java-tron's vm.maxEnergyLimitForConstant. */
const CONSTANT_ENERGY_LIMIT = 100_000_000n;

type Trigger = Extract<JavaTronBuiltAct, { readonly type: "TriggerSmartContract" }>;

const hexWords = (words: string): string => bytesToHex(utf8ToBytes(words));

const triggerOf = (request: JavaTronRequest): Trigger => ({
  type: "TriggerSmartContract",
  contract: request.address("contract_address"),
  callValue: request.amount("call_value"),
  data: request.has("function_selector")
    ? javaTronCallData(request.text("function_selector"), request.hex("parameter"))
    : hexToBytes(request.hex("data")),
});

const refusal = (code: string, words: string): LedgerJson => ({ result: { code, message: hexWords(words) } });

const NO_CONTRACT = refusal("CONTRACT_VALIDATE_ERROR", "Smart contract is not exist.");

const builtOf = (node: JavaTronNode, request: JavaTronRequest, act: Trigger) =>
  javaTronBuiltJson(
    node.host.state,
    {
      owner: request.address("owner_address"),
      act,
      feeLimit: request.amount("fee_limit"),
      permissionId: request.number("Permission_id"),
    },
    node.host.now,
    request.visible,
  );

/** Runs a call without effect, on the books of a view. @returns undefined if the contract does not exist */
const dryRun = async (
  node: JavaTronNode,
  request: JavaTronRequest,
  act: Trigger,
  view: JavaTronView,
): Promise<JavaTronRun | undefined> => {
  const { state } = node.host;
  const books = javaTronBooksOf(state, view);
  const { number, time } = javaTronHead(state, view);
  if (!books.contracts.has(act.contract)) return undefined;
  return node.runContract({
    books,
    caller: request.address("owner_address"),
    to: act.contract,
    creation: undefined,
    data: act.data,
    value: act.callValue,
    energyLimit: CONSTANT_ENERGY_LIMIT,
    number,
    time,
  });
};

/** /wallet/triggerconstantcontract: the result of a call, and its energy. */
export const javaTronConstantCall = async (
  node: JavaTronNode,
  request: JavaTronRequest,
  view: JavaTronView,
): Promise<LedgerJson> => {
  const act = triggerOf(request);
  const run = await dryRun(node, request, act, view);
  if (run === undefined) return NO_CONTRACT;
  const succeeded = run.result === "SUCCESS";
  return {
    result: { result: true, message: succeeded ? undefined : hexWords(run.words) },
    energy_used: run.energy,
    constant_result: [bytesToHex(run.output)],
    logs: run.logs.length > 0 ? run.logs.map((log) => ({ ...log })) : undefined,
    transaction: { ...builtOf(node, request, act), ret: [succeeded ? {} : { ret: "FAILED" }] },
  };
};

/** /wallet/estimateenergy: how much energy a call needs. */
export const javaTronEnergyEstimate = async (
  node: JavaTronNode,
  request: JavaTronRequest,
  view: JavaTronView,
): Promise<LedgerJson> => {
  const run = await dryRun(node, request, triggerOf(request), view);
  if (run === undefined) return NO_CONTRACT;
  if (run.result !== "SUCCESS") return refusal("CONTRACT_EXE_ERROR", run.words);
  return { result: { result: true }, energy_required: run.energy };
};

/** /wallet/triggersmartcontract: an unsigned call. */
export const javaTronTrigger = (node: JavaTronNode, request: JavaTronRequest): LedgerJson => {
  const act = triggerOf(request);
  if (!node.host.state.books.contracts.has(act.contract)) return NO_CONTRACT;
  return { result: { result: true }, transaction: builtOf(node, request, act) };
};
