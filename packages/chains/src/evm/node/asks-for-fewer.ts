import { BaseError, RpcRequestError } from "viem";
import { z } from "zod";

/** By these codes a node says that a limit is exceeded (EIP-1474, "Error codes"; Alchemy and others write 429). */
const LIMIT_CODES: readonly number[] = [-32005, -32029, 429];
const FEWER_REQUESTS =
  /too many requests|rate.?limit|request (rate|limit)|requests per|throttl|compute units|daily (request )?count|exceeded .{0,40}(capacity|throughput)/i;
const requestSchema = z.tuple([z.looseObject({ method: z.string() })]).rest(z.unknown());

/**
 * Whether a node refuses a call because it was asked too often. For eth_getLogs the same codes also say that one answer is too large,
 * so that there the words decide.
 * @param error as viem throws it
 * @param given what viem's `request` was called with
 */
export const asksForFewer = (error: unknown, given: readonly unknown[]): boolean => {
  const refused = error instanceof BaseError && error.walk((cause) => cause instanceof RpcRequestError);
  if (!(refused instanceof RpcRequestError)) return false;
  if (FEWER_REQUESTS.test(refused.details)) return true;
  const asked = requestSchema.safeParse(given);
  const isForLogs = asked.success && asked.data[0].method === "eth_getLogs";
  return !isForLogs && LIMIT_CODES.includes(refused.code);
};
