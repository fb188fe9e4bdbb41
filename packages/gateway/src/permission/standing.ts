import { fail, type Need, ok, problem, type Result } from "@conclave/custody";
import {
  type Connection,
  type Principal,
  type RecordedRequester,
  readRequesterNow,
  readWhatEnded,
} from "@conclave/platform";
import { judgeNeeds } from "./granted.ts";

/**
 * Whether a recorded requester still has a right: user, token and application are active, and the permission exists.
 * The end of a session and the expiry of a token take no right away.
 * @param did completes the sentence that names the person, as in "who asked for it"
 * @param needs all of which are required
 * @returns the current principal; PermissionMissing with a sentence that names the person and what ended
 */
export const judgeStanding = async (
  connection: Connection,
  who: RecordedRequester,
  did: string,
  needs: readonly Need[],
): Promise<Result<Principal>> => {
  const principal = await readRequesterNow(connection, who);
  if (principal === undefined) return gone(await readWhatEnded(connection, who), who, did);
  const judged = judgeNeeds(principal, who.userId, needs);
  if (judged.ok) return ok(principal);
  const { operation } = judged.problem.details;
  const words = `${who.userId}, ${did}, has no permission for ${String(operation)} any more`;
  return { ok: false, problem: problem("PermissionMissing", { operation, userId: who.userId }, words) };
};

const gone = (
  ended: "user" | "application" | "token",
  { userId, tokenId, appId }: RecordedRequester,
  did: string,
): Result<never> => {
  const details = { ended, userId };
  switch (ended) {
    case "user":
      return fail("PermissionMissing", details, `${userId}, ${did}, is active no more`);
    case "application":
      return fail(
        "PermissionMissing",
        { ...details, ...(appId === undefined ? {} : { appId }) },
        `the application of ${userId}, ${did}, is active no more`,
      );
    case "token":
      return fail(
        "PermissionMissing",
        { ...details, tokenId },
        `the token ${tokenId} of ${userId}, ${did}, is active no more`,
      );
  }
};
