import { BaseError, RpcRequestError } from "viem";
import { z } from "zod";

/** By these codes a node says that a limit is exceeded (EIP-1474, "Error codes"; Alchemy and others write 429). */
const LIMIT_CODES: readonly number[] = [-32005, -32029, 429];
const FEWER_REQUESTS =
  /too many requests|rate.?limit|request (rate|limit)|requests per|throttl|compute units|daily (request )?count|exceeded .{0,40}(capacity|throughput)/i;
const requestSchema = z.tuple([z.looseObject({ method: z.string() })]).rest(z.unknown());

/** In what these are refused with, a caller's own contract may have a say. */
const RUN_CALLERS_CODE: readonly string[] = ["eth_call", "eth_estimateGas", "eth_sendRawTransaction"];

/**
 * Whether a node refuses a call because it was asked too often. For eth_getLogs the same codes also say that one answer is too large,
 * so that there the words decide. Where a caller's code is run, code and words must say it, and no revert: a contract's reason
 * would else leave all others without the node.
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
