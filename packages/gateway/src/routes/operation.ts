import type { Need } from "@conclave/custody";
import { createRoute, type RouteConfig, type z } from "@hono/zod-openapi";
import type { Examples } from "../document/examples/examples.ts";
import { bodyGiven } from "../http/middleware/body-given.ts";
import { permitted, requires } from "../permission/requires.ts";
import { bodyErrors, commonErrors, forbiddenError, limitError, notFoundError } from "../schemas/error.ts";

/** An answer in JSON. */
export const answer = <Schema extends z.ZodType>(description: string, schema: Schema) => ({
  description,
  content: { "application/json": { schema } },
});

/** A required JSON body, with its examples, to which those of chain families are added. */
export const bodyOf = <Schema extends z.ZodType>(schema: Schema, examples?: Examples<Schema>) => ({
  required: true,
  content: {
    "application/json": { schema, ...(examples === undefined ? {} : { examples: shown(examples) }) },
  },
});

const shown = (examples: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(Object.entries(examples).map(([name, value]) => [name, { value }]));

/** The errors of an operation that reads a resource of the organisation. */
export const readErrors = { ...forbiddenError, ...notFoundError };
/** The errors of an operation that makes a resource from its body. */
export const createErrors = { ...forbiddenError, ...bodyErrors };
/** The errors of an operation that changes a resource of the organisation. Where it takes no body, clients send {}. */
export const changeErrors = { ...readErrors, ...bodyErrors };

interface Definition<Request, Answers> {
  readonly operationId: string;
  readonly summary: string;
  /** the permissions that its caller needs, all of them; empty if every caller with a token may call it */
  readonly needs: readonly Need[];
  /** `params`, `query` and `body`; {} for an operation without input */
  readonly request: Request;
  /** by status, in addition to the common errors */
  readonly answers: Answers;
}

/**
 * An operation that needs a token, for `app.openapi`, with the check of its caller's permissions and the common errors.
 * Its handler's parameters, body and answers have the types of these schemas.
 * @param path in OpenAPI's form: /wallets/{walletId}
 */
export const operation = <
  const Method extends RouteConfig["method"],
  const Path extends string,
  Request extends NonNullable<RouteConfig["request"]>,
  Answers extends RouteConfig["responses"],
>(
  method: Method,
  path: Path,
  { operationId, summary, needs, request, answers }: Definition<Request, Answers>,
) =>
  createRoute({
    method,
    path,
    operationId,
    summary,
    ...requires(...needs),
    ...(request.body?.required === true ? { middleware: [permitted(needs), bodyGiven] } : {}),
    request,
    responses: { ...answers, ...commonErrors, ...limitError, ...(needs.length > 0 ? forbiddenError : {}) },
  });
