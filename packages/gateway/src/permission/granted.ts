import { fail, missingOperation, type Need, ok, type Result } from "@conclave/custody";
import type { Principal } from "@conclave/platform";

/**
 * Whether a caller's permissions cover the needs; otherwise PermissionMissing, in the words that clients parse (wire
 * interface, E.2).
 */
export const judgeNeeds = (principal: Principal, userId: string, needs: readonly Need[]): Result<void> => {
  const operation = missingOperation(principal.grant, needs);
  if (operation === undefined) return ok(undefined);
  const message = `${actorOf(principal)} ${userId} is not authorized to perform operation (${operation})`;
  return fail("PermissionMissing", { operation }, message);
};

const actorOf = ({ isServiceAccount, kind }: Principal): string =>
  isServiceAccount ? "ServiceAccount" : kind;
