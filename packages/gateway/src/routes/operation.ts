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

/** A body in JSON, which must be there. Its examples, and those of chain families, show bodies. */
export const bodyOf = <Schema extends z.ZodType>(schema: Schema, examples?: Examples<Schema>) => ({
  required: true,
  content: {
    "application/json": { schema, ...(examples === undefined ? {} : { examples: shown(examples) }) },
  },
});

const shown = (examples: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(Object.entries(examples).map(([name, value]) => [name, { value }]));

/** The errors of an operation that reads one thing of the organisation's. */
export const readErrors = { ...forbiddenError, ...notFoundError };
/** The errors of an operation that makes something of its body. */
export const createErrors = { ...forbiddenError, ...bodyErrors };
/** The errors of an operation that changes one thing of the organisation's. Clients send {} where it takes no body. */
export const changeErrors = { ...readErrors, ...bodyErrors };

interface Definition<Request, Answers> {
  readonly operationId: string;
  readonly summary: string;
  /** the permissions that its caller needs: all of them; none for every caller with a token */
  readonly needs: readonly Need[];
  /** `params`, `query` and `body`; {} for an operation that takes nothing */
  readonly request: Request;
  /** by status, beside the errors that all have in common */
  readonly answers: Answers;
}

/**
 * An operation that needs a token, as `app.openapi` takes it: with the check of its caller's permissions and the errors that
 * all have in common. Its handler's parameters, body and answers have the types of these schemas.
 * @param path as OpenAPI writes it: /wallets/{walletId}
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
