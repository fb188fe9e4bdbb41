import { fail, ok, type Result } from "@conclave/custody";
import { type Address, BaseError, type Hex, isHex, type TransactionSerializable } from "viem";
import { estimateGas } from "viem/actions";
import { bytesToHex, numberToHex, parseTransaction } from "viem/utils";
import { type GasLimits, gasLimitTooLow, TRANSACTION_GAS_MAX } from "../gas/gas-limit.ts";
import { readCallRefusal } from "../refusals/node-words.ts";
import { ask, problemOfRefusal, type Rpc, refusalOf } from "./rpc.ts";

/** The state on which a transaction is tried: with the account's pending transactions, or without. */
export type TrialBlock = "latest" | "pending";

type Request = Readonly<Record<string, unknown>>;

const quantity = (value: bigint | undefined): Hex | undefined =>
  value === undefined ? undefined : numberToHex(value);

/**
 * The transaction to sign, as `eth_call` takes it. The nonce is left out, because nodes check it against blocks only,
 * or not at all.
 */
const requestOf = (
  from: Address,
  transaction: TransactionSerializable,
): { bare: Request; whole: Request } => {
  const { to, value, data, gas, gasPrice, maxFeePerGas, maxPriorityFeePerGas, accessList } = transaction;
  const bare = {
    from,
    ...(to ? { to } : {}),
    value: quantity(value ?? 0n),
    data: data ?? "0x",
    gas: quantity(gas),
  };
  return {
    bare,
    whole: {
      ...bare,
      ...(gasPrice === undefined ? {} : { gasPrice: quantity(gasPrice) }),
      ...(maxFeePerGas === undefined ? {} : { maxFeePerGas: quantity(maxFeePerGas) }),
      ...(maxPriorityFeePerGas === undefined ? {} : { maxPriorityFeePerGas: quantity(maxPriorityFeePerGas) }),
      ...(accessList === undefined || accessList.length === 0 ? {} : { accessList }),
    },
  };
};

/** viem's types allow fewer parameters than nodes accept. */
type Send = (request: { readonly method: string; readonly params: readonly unknown[] }) => Promise<unknown>;

const callWith = async (rpc: Rpc, request: Request, block: TrialBlock): Promise<Hex> => {
  const send: Send = rpc.transport.request;
  const answer = await send({ method: "eth_call", params: [request, block] });
  if (!isHex(answer)) throw new TypeError("its answer to eth_call is no hexadecimal number");
  return answer;
};

/**
 * Tries exactly the transaction that will be signed, with its gas limit, fees and access list. If a node refuses only
 * the fees, because the base fee has risen, or does not accept such fields in eth_call, it is asked once more without
 * them.
 *
 * @param isCallersLimit whether the caller chose the gas limit: then the error says that it is too low, with an
 * estimate
 * @returns the result of the call; ExecutionReverted, InsufficientFunds, TransactionInvalid (details.field "gasLimit"),
 * ServiceUnavailable
 */
export const tryOut = async (
  network: string,
  rpc: Rpc,
  from: Address,
  unsigned: Uint8Array,
  block: TrialBlock,
  isCallersLimit: boolean,
): Promise<Result<Hex>> => {
  const transaction = parseTransaction(bytesToHex(unsigned));
  const { bare, whole } = requestOf(from, transaction);
  const first = await tryCall(rpc, whole, block);
  const last = first.kind === "unlike" ? await tryCall(rpc, bare, block) : first;
  switch (last.kind) {
    case "returned":
      return ok(last.data);
    case "unlike":
    case "away":
      return ask(network, () => Promise.reject(last.error));
    case "refused":
      return isCallersLimit
        ? withoutLimit(network, rpc, from, transaction, block, last.problem(network))
        : last.problem(network);
  }
};

type CallOutcome =
  | { readonly kind: "returned"; readonly data: Hex }
  | { readonly kind: "refused"; readonly problem: (network: string) => Result<never> }
  /** the node does not say that the call itself is wrong */
  | { readonly kind: "unlike"; readonly error: BaseError }
  | { readonly kind: "away"; readonly error: unknown };

const tryCall = async (rpc: Rpc, request: Request, block: TrialBlock): Promise<CallOutcome> => {
  try {
    return { kind: "returned", data: await callWith(rpc, request, block) };
  } catch (error) {
    if (!(error instanceof BaseError)) return { kind: "away", error };
    const answered = refusalOf(error);
    if (answered === undefined) return { kind: "away", error };
    const refusal = readCallRefusal(answered);
    if (refusal === undefined || refusal.kind === "price") return { kind: "unlike", error };
    return {
      kind: "refused",
      problem: (network) => problemOfRefusal(network, refusal) ?? fail("ServiceUnavailable", { network }),
    };
  }
};

/**
 * The problem of a call that failed with the caller's gas limit. If an estimate without that limit succeeds above it,
 * the limit is too low.
 *
 * @param problem of the call with the limit
 */
const withoutLimit = async (
  network: string,
  rpc: Rpc,
  from: Address,
  { to, value, data, gas = 0n }: TransactionSerializable,
  block: TrialBlock,
  problem: Result<never>,
): Promise<Result<never>> => {
  const call = { ...(to ? { to } : {}), value: value ?? 0n, data: data ?? "0x" } as const;
  const free = await ask(network, () => estimateGas(rpc, { account: from, ...call, blockTag: block }));
  return free.ok && free.value > gas ? gasLimitTooLow(gas, free.value) : problem;
};

/** JUMPDEST, PUSH1 0, JUMP: an endless loop that uses all gas */
const ENDLESS: Hex = "0x5b600056";
/** the message of go-ethereum (gasestimator), op-geth, bor and reth, with their gas limit of a call */
const ALLOWANCE = /gas required exceeds(?: allowance)?:? \(?(\d{1,20})\)?/i;

/**
 * The gas limit of one transaction, if the network's entry has none. No method says which rules a chain has in force,
 * but nodes of go-ethereum's kind apply EIP-7825 in estimates: for an endless loop they answer with the highest gas
 * that a call may have. This is asked only for limits above 2^24, which are rare, because it costs the node that much
 * gas.
 *
 * @returns the limits, with that number if it is below the block's limit
 */
export const transactionLimit = async (
  network: string,
  rpc: Rpc,
  from: Address,
  gas: bigint,
  limits: GasLimits,
): Promise<Result<GasLimits>> => {
  if (limits.transaction !== undefined || gas <= TRANSACTION_GAS_MAX || gas > limits.block) return ok(limits);
  try {
    await estimateGas(rpc, { account: from, data: ENDLESS, gas });
    return ok(limits);
  } catch (error) {
    const said = error instanceof BaseError ? refusalOf(error)?.message : undefined;
    if (said === undefined) return ask(network, () => Promise.reject(error));
    const most = BigInt(ALLOWANCE.exec(said)?.[1] ?? limits.block);
    return ok(most < limits.block && isPowerOfTwo(most) ? { ...limits, transaction: most } : limits);
  }
};

/**
 * Chains' limits are powers of two, as 2^24 in EIP-7825. Other numbers are an operator's limit for calls, such as
 * geth's `--rpc.gascap` of 50 million.
 */
const isPowerOfTwo = (number: bigint): boolean => number > 0n && (number & (number - 1n)) === 0n;
