import { fail, ok, type Result } from "@conclave/custody";
import {
  BaseError,
  type Client,
  ContractFunctionZeroDataError,
  createClient,
  ExecutionRevertedError,
  type HttpTransport,
  http,
  InsufficientFundsError,
  RpcRequestError,
} from "viem";
import type { EvmNetwork } from "../network.ts";

/** Longest that one call to a node may take. */
const CALL_TIMEOUT_MS = 5_000;

export type Rpc = Client<HttpTransport>;

/** viem takes an answer that has neither a result nor an error for a null, which means that there is no such thing. */
const withResult =
  (transport: HttpTransport): HttpTransport =>
  (config) => {
    const made = transport(config);
    const request = new Proxy(made.request, {
      apply: async (target, self, given) => {
        const result: unknown = await Reflect.apply(target, self, given);
        if (result === undefined) throw new BaseError("its answer has no result");
        return result;
      },
    });
    return { ...made, request };
  };

/** A contract may answer with addresses to fetch its answer from (ERC-3668). Callers choose contracts: they would choose what we fetch. */
const NO_LOOKUPS = false;

/** A client of one node. It does not retry: the callers do, with their own patience. */
export const connectRpc = (network: Pick<EvmNetwork, "rpcUrl">): Rpc =>
  createClient({
    ccipRead: NO_LOOKUPS,
    transport: withResult(http(network.rpcUrl, { timeout: CALL_TIMEOUT_MS, retryCount: 0 })),
  });

/**
 * A client whose calls of one moment go out as one JSON-RPC batch: one HTTP request, which a load balancer hands to one
 * node. So what is asked together is answered from one node's view of the chain.
 */
export const connectTogether = (network: Pick<EvmNetwork, "rpcUrl">): Rpc =>
  createClient({
    ccipRead: NO_LOOKUPS,
    transport: withResult(http(network.rpcUrl, { timeout: CALL_TIMEOUT_MS, retryCount: 0, batch: true })),
  });

/**
 * What the node itself said when it refused a call.
 * @returns undefined when it did not answer at all
 */
export const refusalText = (error: unknown): string | undefined => {
  if (!(error instanceof BaseError)) throw error;
  const answered = error.walk((cause) => cause instanceof RpcRequestError);
  return answered instanceof RpcRequestError ? answered.details : undefined;
};

const away = (network: string, cause: string): Result<never> =>
  fail("ServiceUnavailable", { network }, `The chain node of ${network} does not answer: ${cause}.`);

/**
 * The machine halts without a revert: an old contract's way to refuse, or code that is none. Nodes have no common code for it, so
 * their words tell: geth, erigon, nethermind, besu; reth and anvil. To take it for a node that is away would be to ask for ever.
 */
const HALTED =
  /invalid opcode(: [\w ]{1,40})?|(invalid|bad) jump destination|stack (underflow|overflow)|out of gas|EVM error:? (?!Database|Header|Custom)\w{1,60}/i;

/** Why a call on the state of the chain cannot be carried out, in the words of the table of errors. */
const problemOf = (network: string, error: BaseError): Result<never> => {
  if (error.walk((cause) => cause instanceof InsufficientFundsError)) {
    return fail("InsufficientFunds", { network });
  }
  if (error.walk((cause) => cause instanceof ContractFunctionZeroDataError)) {
    return fail("ExecutionReverted", { network }, "there is no token contract at the address");
  }
  const reverted = error.walk((cause) => cause instanceof ExecutionRevertedError);
  if (reverted instanceof ExecutionRevertedError) {
    return fail("ExecutionReverted", { network, reason: reverted.shortMessage }, reverted.shortMessage);
  }
  const halted = HALTED.exec(refusalText(error) ?? "")?.[0];
  if (halted !== undefined) {
    return fail("ExecutionReverted", { network, reason: halted }, `the chain halts the call: ${halted}`);
  }
  return away(network, error.shortMessage);
};

/** Asks the node; what it refuses, an answer that cannot be read, and its absence become problems. */
export const ask = async <T>(network: string, call: () => Promise<T>): Promise<Result<T>> => {
  try {
    return ok(await call());
  } catch (error) {
    if (error instanceof BaseError) return problemOf(network, error);
    // an answer that lacks what the node's interface promises: viem reads on with what is not there
    if (error instanceof TypeError) return away(network, `its answer cannot be read (${error.message})`);
    throw error;
  }
};
