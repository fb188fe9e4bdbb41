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

/** The greatest size of an answer. */
interface Patience {
  /** from the question until the last byte of its answer */
  readonly timeoutMs: number;
  /** longest answer that is read */
  readonly bytesMax: number;
}

const USUAL: Patience = { timeoutMs: 5_000, bytesMax: 16 * 1024 * 1024 };
/** For the smallest pieces that there are of a block: nothing smaller can be asked for. */
const SMALLEST_PIECE: Patience = { timeoutMs: 60_000, bytesMax: 64 * 1024 * 1024 };

export type Rpc = Client<HttpTransport>;

/** viem takes an answer that has neither a result nor an error for a null, which means that there is no such thing. */
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

/** A contract may answer with addresses to fetch its answer from (ERC-3668). Callers choose contracts: they would choose what we fetch. */
const NO_LOOKUPS = false;

/** viem's own timeout waits for no call that has a signal, and for the first byte of an answer alone. */
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

/** A client of one node. It does not retry: the callers do, with their own patience. */
export const connectRpc = (network: Pick<EvmNetwork, "rpcUrl">, wire: NodeWire = restingFetch()): Rpc =>
  createClient({ ccipRead: NO_LOOKUPS, transport: transportOf(network, wire, false, USUAL) });

/**
 * A client whose calls of one moment go out as one JSON-RPC batch: one HTTP request, which a load balancer hands to one
 * node. So what is asked together is answered from one node's view of the chain.
 */
export const connectTogether = (network: Pick<EvmNetwork, "rpcUrl">, wire: NodeWire = restingFetch()): Rpc =>
  createClient({ ccipRead: NO_LOOKUPS, transport: transportOf(network, wire, true, USUAL) });

/** The clients by which a block is read. */
export interface BlockRpc {
  /** by what its blocks count as final */
  readonly finality: Pick<EvmNetwork, "confirmations" | "finality">;
  /** asks in one request */
  readonly together: Rpc;
  readonly alone: Rpc;
  /** asks for the smallest pieces that there are of a block, which may be large and slow */
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

/** The node's own answer when it refused a call; undefined when it did not answer at all. */
export const refusalOf = (error: unknown): NodeError | undefined => {
  if (!(error instanceof BaseError)) throw error;
  const answered = error.walk((cause) => cause instanceof RpcRequestError);
  if (!(answered instanceof RpcRequestError)) return undefined;
  return { code: answered.code, message: answered.details, data: answered.data };
};

/** The words of such an answer. */
export const refusalText = (error: unknown): string | undefined => refusalOf(error)?.message;

/** By these words a node says that its answer is larger than it hands out: geth (rpc, errMsgResponseTooLarge), reth (jsonrpsee). */
const TOO_LARGE = /\bresponse (is )?too (large|big)\b/i;

/** Why the answer to a call did not come whole: the node says so, or what stands before it, or it is too long, or not there in time. */
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
 * A refused call in the words of the table of errors.
 * @returns undefined for a price that is too low for the block on which it was tried, which says nothing of the call
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

/** Why a call on the state of the chain cannot be carried out. */
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

/** Asks the node; what it refuses, an answer that cannot be read, and its absence become problems. */
export const ask = async <T>(network: string, call: () => Promise<T>): Promise<Result<T>> => {
  try {
    return ok(await call());
  } catch (error) {
    if (error instanceof BaseError) return problemOf(network, error);
    // an answer that lacks what the node's interface promises: viem reads on with what is not there
    if (error instanceof TypeError) return nodeAway(network, `its answer cannot be read (${error.message})`);
    throw error;
  }
};
