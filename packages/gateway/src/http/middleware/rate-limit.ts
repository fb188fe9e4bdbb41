import { problem } from "@conclave/custody";
import { createMiddleware } from "hono/factory";
import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import type { GatewayEnv } from "../../dependencies.ts";
import { renderProblem } from "../problem-response.ts";
import { needsToken } from "./public-paths.ts";

const WINDOW_SECONDS = 60;
const MILLISECONDS_A_SECOND = 1_000;

/**
 * Lets an organisation send so many requests a minute (wire interface, section E.2). Each gateway counts for itself: of
 * several behind one balancer each lets its share through.
 *
 * @param perMinute requests; undefined for no limit
 */
export const rateLimit = (perMinute: number | undefined) => {
  if (perMinute === undefined) return createMiddleware<GatewayEnv>((_, next) => next());
  const limiter = new RateLimiterMemory({ points: perMinute, duration: WINDOW_SECONDS });
  return createMiddleware<GatewayEnv>(async (c, next) => {
    // who signs in belongs to no organisation yet
    if (!needsToken(c.req.path)) return next();
    const refused = await limiter.consume(c.get("caller").orgId).then(() => undefined, exceeded);
    if (refused === undefined) return next();
    const seconds = Math.ceil(refused.msBeforeNext / MILLISECONDS_A_SECOND);
    c.header("retry-after", String(seconds));
    return renderProblem(c, problem("RateLimited", { perMinute, retryAfterSeconds: seconds }));
  });
};

const exceeded = (refused: unknown): RateLimiterRes => {
  if (refused instanceof RateLimiterRes) return refused;
  throw refused;
};
