import { type ErrorCode, problem, type World } from "@conclave/custody";
import { createMiddleware } from "hono/factory";
import { FairTurns, type NoTurn } from "../../admission/fair-turns.ts";
import type { AdmissionLimits } from "../../admission/limits.ts";
import { asksContracts, waitsForSigners } from "../../admission/signing-operations.ts";
import type { GatewayEnv } from "../../dependencies.ts";
import { renderProblem } from "../problem-response.ts";
import { needsToken } from "./public-paths.ts";

const RETRY_AFTER_SECONDS = 1;
/** whoever signs in belongs to no organisation yet: they share what one organisation has */
const NOBODY = "nobody";

const CODES: Readonly<Record<NoTurn, ErrorCode>> = {
  "too many of its own": "TooManyAtOnce",
  "too many of all": "Overloaded",
};

/** Refuses what arrives beyond the number of requests that a gateway holds. It asks nobody, so it is the first to be asked. */
export const underWay = ({ underWay: most }: AdmissionLimits) => {
  let requests = 0;
  return createMiddleware<GatewayEnv>(async (c, next) => {
    if (requests >= most) return renderProblem(c, refusal("too many of all"));
    requests += 1;
    try {
      await next();
    } finally {
      requests -= 1;
    }
    return undefined;
  });
};

/**
 * Gives each request its turn, before its body is read or its signed action is spent. Organisations take turns, and one that has too
 * many requests under way is refused its next: the others are served all the same.
 */
export const admission = (world: World, limits: AdmissionLimits) => {
  const work = new FairTurns(world, limits.work);
  const signing = new FairTurns(world, limits.signing);
  const contracts = new FairTurns(world, limits.contracts);
  const turnsOf = (method: string, path: string): FairTurns => {
    if (waitsForSigners(method, path)) return signing;
    return asksContracts(method, path) ? contracts : work;
  };
  return createMiddleware<GatewayEnv>(async (c, next) => {
    const { method, path } = c.req;
    const organisation = needsToken(path) ? c.get("caller").orgId : NOBODY;
    const turn = await turnsOf(method, path).take(organisation);
    if ("refused" in turn) {
      c.header("retry-after", String(RETRY_AFTER_SECONDS));
      return renderProblem(c, refusal(turn.refused));
    }
    try {
      await next();
    } finally {
      turn.end();
    }
    return undefined;
  });
};

const refusal = (reason: NoTurn) => problem(CODES[reason], { retryAfterSeconds: RETRY_AFTER_SECONDS });
