import { ERRORS, type Problem } from "@conclave/custody";
import type { Context } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import type { GatewayEnv } from "../dependencies.ts";

/** The body of every error (wire interface, section E.2); the second `message` is for clients that read it there. */
export interface ErrorBody {
  readonly error: {
    readonly id: string;
    readonly status: number;
    readonly message: string;
    readonly details: Readonly<Record<string, unknown>>;
  };
  readonly message: string;
}

const RETRY_AFTER_SECONDS = "1";

/** The body of an error, with status and remedy from the table. @param id of the request, which the log has too */
export const errorBodyOf = (problem: Problem, id: string): ErrorBody => {
  const { status, remedy } = ERRORS[problem.code];
  return {
    error: {
      id,
      status,
      message: problem.message,
      details: { code: problem.code, remedy, ...problem.details },
    },
    message: problem.message,
  };
};

/** Renders every error that the application answers. */
export const renderProblem = (c: Context<GatewayEnv>, problem: Problem): Response => {
  const { kind, status } = ERRORS[problem.code];
  const seconds = problem.details["retryAfterSeconds"];
  if (typeof seconds === "number") c.header("retry-after", String(seconds));
  // no retry-after then: an automatic retry might repeat an act that was already done
  else if (kind === "outage" && problem.code !== "OutcomeUnknown")
    c.header("retry-after", RETRY_AFTER_SECONDS);
  if (status === 401) c.header("www-authenticate", "Bearer");
  return c.json(errorBodyOf(problem, c.get("httpRequestId")), asStatus(status));
};

const STATUSES: readonly ContentfulStatusCode[] = [
  400, 401, 403, 404, 405, 408, 409, 413, 415, 422, 429, 501, 503,
];

const asStatus = (status: number): ContentfulStatusCode => STATUSES.find((known) => known === status) ?? 500;
