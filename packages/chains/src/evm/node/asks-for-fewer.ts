import { BaseError, RpcRequestError } from "viem";
import { z } from "zod";

/** Error codes for an exceeded limit (EIP-1474, "Error codes"; Alchemy and others use 429). */
const LIMIT_CODES: readonly number[] = [-32005, -32029, 429];
const FEWER_REQUESTS =
  /too many requests|rate.?limit|request (rate|limit)|requests per|throttl|compute units|daily (request )?count|exceeded .{0,40}(capacity|throughput)/i;
const requestSchema = z.tuple([z.looseObject({ method: z.string() })]).rest(z.unknown());

/** Methods whose error may contain text from a caller's own contract. */
const RUN_CALLERS_CODE: readonly string[] = ["eth_call", "eth_estimateGas", "eth_sendRawTransaction"];

/**
 * Whether a node refuses a call because it got too many requests. For eth_getLogs the same codes also mean that the
 * answer is too large, so the message decides. Where a caller's code runs, both code and message must say so, and the
 * message must not be a revert: otherwise a contract's revert reason could make us avoid the node for all callers.
 *
 * @param error as viem throws it
 * @param given the argument of viem's `request`
 */
export const asksForFewer = (error: unknown, given: readonly unknown[]): boolean => {
  const refused = error instanceof BaseError && error.walk((cause) => cause instanceof RpcRequestError);
  if (!(refused instanceof RpcRequestError)) return false;
  const { code, details } = refused;
  const [hasCode, hasWords] = [LIMIT_CODES.includes(code), FEWER_REQUESTS.test(details)];
  const asked = requestSchema.safeParse(given);
  const method = asked.success ? asked.data[0].method : "";
  if (RUN_CALLERS_CODE.includes(method)) return hasCode && hasWords && !/revert/i.test(details);
  return hasWords || (hasCode && method !== "eth_getLogs");
};
