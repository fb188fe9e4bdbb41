import { fail, ok, type Result } from "@conclave/custody";
import {
  BaseError,
  type Client,
  ContractFunctionZeroDataError,
  createClient,
  HttpRequestError,
  type HttpTransport,
  http,
  ResponseBodyTooLargeError,
  RpcRequestError,
} from "viem";
import { type Hurdle, hurdleOf, isTimeout } from "../../answers/hurdle.ts";
import { nodeAway } from "../../answers/node-away.ts";
import { NodeRests, type NodeWire, restingFetch } from "../../breaker/node/resting-fetch.ts";
import type { EvmNetwork } from "../network.ts";
import { type CallRefusal, type NodeError, readCallRefusal } from "../refusals/node-words.ts";
import { asksForFewer } from "./asks-for-fewer.ts";

/** Limits of an answer. */
interface Patience {
  /** from the request to the last byte of the answer */
  readonly timeoutMs: number;
  /** longest accepted answer */
  readonly bytesMax: number;
}

const USUAL: Patience = { timeoutMs: 5_000, bytesMax: 16 * 1024 * 1024 };
/** For the smallest pieces of a block, which cannot be split further. */
const SMALLEST_PIECE: Patience = { timeoutMs: 60_000, bytesMax: 64 * 1024 * 1024 };

export type Rpc = Client<HttpTransport>;

/** viem takes an answer with neither a result nor an error for null, which would mean that the object does not exist. */
const withResult =
  (transport: HttpTransport, wire: NodeWire): HttpTransport =>
  (config) => {
    const made = transport(config);
    const request = new Proxy(made.request, {
      apply: async (target, self, given) => {
        const asked: Promise<unknown> = Reflect.apply(target, self, given);
        const result = await asked.catch((error: unknown) => {
          if (!asksForFewer(error, given)) throw error;
          const rests = wire.rest();
          throw new BaseError(rests.message, { cause: rests });
        });
        if (result === undefined) throw new BaseError("its answer has no result");
        return result;
      },
    });
    return { ...made, request };
  };

/**
 * A contract may answer with URLs from which to fetch its answer (ERC-3668). Callers choose contracts, so they would
 * choose what we fetch.
 */
const NO_LOOKUPS = false;

/** viem's own timeout does not apply to calls with a signal, and ends at the first byte of an answer. */
const WITHOUT_TIMEOUT = 0;

const transportOf = (
  { rpcUrl }: Pick<EvmNetwork, "rpcUrl">,
  wire: NodeWire,
  batch: boolean,
  { timeoutMs, bytesMax }: Patience,
): HttpTransport =>
  withResult(
    http(rpcUrl, {
      timeout: WITHOUT_TIMEOUT,
      maxResponseBodySize: bytesMax,
      retryCount: 0,
      batch,
      fetchFn: (url, init) => wire.fetch(url, { ...init, signal: wire.timeout(timeoutMs) }),
    }),
    wire,
  );

/** A client of one node. It does not retry; callers do, each with its own timeout. */
export const connectRpc = (network: Pick<EvmNetwork, "rpcUrl">, wire: NodeWire = restingFetch()): Rpc =>
  createClient({ ccipRead: NO_LOOKUPS, transport: transportOf(network, wire, false, USUAL) });

/**
 * A client that sends simultaneous calls as one JSON-RPC batch: one HTTP request, which a load balancer sends to one
 * node. So calls made together are answered from one node's view of the chain.
 */
export const connectTogether = (network: Pick<EvmNetwork, "rpcUrl">, wire: NodeWire = restingFetch()): Rpc =>
  createClient({ ccipRead: NO_LOOKUPS, transport: transportOf(network, wire, true, USUAL) });

/** The clients that read a block. */
export interface BlockRpc {
  /** decides when its blocks count as final */
  readonly finality: Pick<EvmNetwork, "confirmations" | "finality">;
  /** batches simultaneous calls into one request */
  readonly together: Rpc;
  readonly alone: Rpc;
  /** for the smallest pieces of a block, which may be large and slow */
  readonly piece: Rpc;
}

/** @param alone a client of the same node */
export const connectForBlocks = (
  network: Pick<EvmNetwork, "rpcUrl" | "confirmations" | "finality">,
  alone: Rpc,
  wire: NodeWire = restingFetch(),
): BlockRpc => ({
  finality: network,
  alone,
  together: connectTogether(network, wire),
  piece: createClient({
    ccipRead: NO_LOOKUPS,
    transport: transportOf(network, wire, false, SMALLEST_PIECE),
  }),
});

/** The node's answer if it refused a call; undefined if it did not answer at all. */
export const refusalOf = (error: unknown): NodeError | undefined => {
  if (!(error instanceof BaseError)) throw error;
  const answered = error.walk((cause) => cause instanceof RpcRequestError);
  if (!(answered instanceof RpcRequestError)) return undefined;
  return { code: answered.code, message: answered.details, data: answered.data };
};

/** The message of a refusal. */
export const refusalText = (error: unknown): string | undefined => refusalOf(error)?.message;

/** Messages of nodes whose answer would be too large to send: geth (rpc, errMsgResponseTooLarge), reth (jsonrpsee). */
const TOO_LARGE = /\bresponse (is )?too (large|big)\b/i;

/** Why the answer to a call did not arrive in full: the node or a proxy says so, it is too long, or it came too late. */
export const hurdleBy = (error: BaseError): Hurdle | undefined => {
  const isOf = (hurdle: Hurdle) => (cause: unknown) =>
    cause instanceof HttpRequestError && cause.status !== undefined && hurdleOf(cause.status) === hurdle;
  const isTooLarge = (cause: unknown) =>
    isOf("too large")(cause) ||
    cause instanceof ResponseBodyTooLargeError ||
    (cause instanceof RpcRequestError && TOO_LARGE.test(cause.details));
  const isTooSlow = (cause: unknown) => isOf("too slow")(cause) || isTimeout(cause);
  if (error.walk(isTooLarge) !== null) return "too large";
  return error.walk(isTooSlow) === null ? undefined : "too slow";
};

/**
 * The problem of a refused call.
 *
 * @returns undefined for a gas price below that of the block on which it was tried, which says nothing about the call
 */
export const problemOfRefusal = (network: string, refusal: CallRefusal): Result<never> | undefined => {
  switch (refusal.kind) {
    case "reverted":
      return fail(
        "ExecutionReverted",
        { network, reason: refusal.reason },
        `The chain ${network} reverts the call: ${refusal.reason}.`,
      );
    case "halted":
      return fail(
        "ExecutionReverted",
        { network, reason: refusal.reason },
        `The chain ${network} halts the call: ${refusal.reason}.`,
      );
    case "gas":
      return fail(
        "ExecutionReverted",
        { network, reason: "out of gas" },
        `The chain ${network} halts the call: out of gas. It needs more than a transaction may have there.`,
      );
    case "funds":
      return fail(
        "InsufficientFunds",
        { network },
        `insufficient funds: the chain ${network} says that the wallet cannot pay value and gas of the call; send it more wei, or ask for less`,
      );
    case "price":
      return undefined;
  }
};

/** Ends the sentence "The chain node … does not answer: …". */
const causeOf = (error: BaseError): string => {
  const rests = error.walk((cause) => cause instanceof NodeRests);
  if (rests instanceof NodeRests) return rests.message;
  return error.walk(isTimeout) === null
    ? error.shortMessage.replace(/\.$/, "")
    : "it takes longer than is waited for";
};

/** The problem of a failed call about the chain's state. */
const problemOf = (network: string, error: BaseError): Result<never> => {
  if (error.walk((cause) => cause instanceof ContractFunctionZeroDataError)) {
    return fail("ExecutionReverted", { network }, "there is no token contract at the address");
  }
  const answered = refusalOf(error);
  const refusal = answered === undefined ? undefined : readCallRefusal(answered);
  const problem = refusal === undefined ? undefined : problemOfRefusal(network, refusal);
  if (problem !== undefined) return problem;
  return nodeAway(network, causeOf(error), hurdleBy(error));
};

/** Calls the node; a refusal, an unreadable answer and an outage become problems. */
export const ask = async <T>(network: string, call: () => Promise<T>): Promise<Result<T>> => {
  try {
    return ok(await call());
  } catch (error) {
    if (error instanceof BaseError) return problemOf(network, error);
    // the answer lacks a required field, and viem used the missing value
    if (error instanceof TypeError) return nodeAway(network, `its answer cannot be read (${error.message})`);
    throw error;
  }
};
