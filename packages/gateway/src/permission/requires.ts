import type { Need, Operation } from "@conclave/custody";
import { createMiddleware } from "hono/factory";
import type { GatewayEnv } from "../dependencies.ts";
import { renderProblem } from "../http/problem-response.ts";
import { describeNeeds } from "../routes/described.ts";
import { judgeNeeds } from "./granted.ts";

/** A need that any one of these operations covers, as permissions use the operation names of both generations of clients. */
export const anyOf = (first: Operation, ...others: readonly Operation[]): Need => ({
  anyOf: [first, ...others],
});

/**
 * The permissions that a route requires, to be spread into its definition: the check, and its description in the
 * OpenAPI document. All needs must be covered; without any, a valid token is enough.
 */
export const requires = (...needs: readonly Need[]) => ({
  security: [{ bearer: [] }],
  description: describeNeeds(needs),
  middleware: permitted(needs),
  "x-required-permissions": needs,
});

/** Admits only callers whose permissions cover all needs. */
export const permitted = (needs: readonly Need[]) =>
  createMiddleware<GatewayEnv>(async (c, next) => {
    const judged = judgeNeeds(c.get("principal"), c.get("caller").userId, needs);
    return judged.ok ? next() : renderProblem(c, judged.problem);
  });
