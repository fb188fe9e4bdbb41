import { fail, ok, type Result } from "@conclave/custody";
import { base64 } from "@scure/base";
import { z } from "zod";
import { nodeAway } from "../../answers/node-away.ts";
import type { NodeWire } from "../../breaker/node/resting-fetch.ts";
import type { StellarNetwork } from "../network.ts";
import { type CallResources, readResources } from "../soroban/resources.ts";
import { XdrReader, XdrUnreadable } from "../xdr/xdr-reader.ts";
import { connectStellar, type StellarAnswer } from "./rest.ts";

/** Most characters of a contract's message. */
const REASON_MAX = 500;

/** The result of a simulation (Stellar RPC, simulateTransaction). */
const simulatedSchema = z.object({
  result: z.object({
    /** why it would fail */
    error: z.string().optional(),
    /** SorobanTransactionData in base64, with the fee in it */
    transactionData: z.string().optional(),
    /** an operation that must come first, because archived entries must be restored */
    restorePreamble: z.unknown().optional(),
  }),
});

/**
 * Asks for the resources that a contract call needs.
 *
 * @param unsigned the call without its resources
 * @param wire the connection to the network's Stellar RPC
 * @returns RecipientCannotReceive if the network's entry names no Stellar RPC, ExecutionReverted with the contract's
 * message, ServiceUnavailable when the node is away or its answer is not that of a transfer
 */
export const simulateCall = async (
  { network, rpcUrl }: StellarNetwork,
  unsigned: Uint8Array,
  wire: NodeWire,
): Promise<Result<CallResources>> => {
  if (rpcUrl === undefined) {
    return fail(
      "RecipientCannotReceive",
      {},
      "the recipient is a contract, and the networks file names no Stellar RPC (rpcUrl) for that",
    );
  }
  const params = { transaction: base64.encode(unsigned) };
  const answer = await connectStellar(network, rpcUrl, undefined, wire).call({
    jsonrpc: "2.0",
    id: 1,
    method: "simulateTransaction",
    params,
  });
  return resourcesIn(network, answer);
};

const resourcesIn = (network: string, answer: StellarAnswer): Result<CallResources> => {
  if (answer.kind === "away") return nodeAway(network, answer.cause);
  const simulated = simulatedSchema.safeParse(answer.body);
  if (!simulated.success) return nodeAway(network, `its simulation cannot be read: ${answer.words}`);
  const { error, transactionData, restorePreamble } = simulated.data.result;
  if (error !== undefined) {
    return fail("ExecutionReverted", {}, `the contract refuses the transfer: ${error.slice(0, REASON_MAX)}`);
  }
  if (restorePreamble !== undefined) {
    return fail("ExecutionReverted", {}, "what the contract holds was archived: it has to be restored first");
  }
  const resources = readable(transactionData ?? "");
  return resources === undefined
    ? nodeAway(network, "its simulation takes more than a transfer of an asset does")
    : ok(resources);
};

const bytesOf = (text: string): Uint8Array => {
  try {
    return base64.decode(text);
  } catch {
    return new Uint8Array(0);
  }
};

const readable = (text: string): CallResources | undefined => {
  const reader = new XdrReader(bytesOf(text));
  try {
    const resources = readResources(reader);
    reader.end();
    return resources;
  } catch (error) {
    if (error instanceof XdrUnreadable) return undefined;
    throw error;
  }
};
