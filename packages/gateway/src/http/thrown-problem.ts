import { type ErrorCode, type Problem, problem } from "@conclave/custody";
import { Outage, UnreadableRow } from "@conclave/platform";
import { HTTPException } from "hono/http-exception";
import { Refused } from "./refused.ts";

const BY_STATUS: ReadonlyMap<number, ErrorCode> = new Map([
  [400, "InvalidJson"],
  [413, "BodyTooLarge"],
  [415, "UnsupportedContentType"],
]);

/**
 * The problem of an exception: that of a refusal or an outage, the framework's refusal of a body, or Internal for a
 * broken invariant of ours. The exception's text is for the log, never for the caller (INV-10).
 */
export const problemOf = (error: unknown): Problem => {
  if (error instanceof Refused || error instanceof Outage || error instanceof UnreadableRow)
    return error.problem;
  const code = error instanceof HTTPException ? BY_STATUS.get(error.status) : undefined;
  return problem(code ?? "Internal");
};
