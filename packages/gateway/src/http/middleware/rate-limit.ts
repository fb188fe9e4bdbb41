import { problem } from "@conclave/custody";
import { createMiddleware } from "hono/factory";
import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import type { GatewayEnv } from "../../dependencies.ts";
import { renderProblem } from "../problem-response.ts";
import { needsToken } from "./public-paths.ts";

const WINDOW_SECONDS = 60;
const MILLISECONDS_A_SECOND = 1_000;
/** one end user has this part of what the organisation has, one request at least: the organisation's own people have the rest */
const END_USERS_PART = 10;

/**
 * Lets an organisation send so many requests a minute (wire interface, section E.2), and each of its end users a part of them: what
 * is refused to an end user is not counted to the organisation. Each gateway counts for itself: of several behind one balancer
 * each lets its share through.
 *
 * @param perMinute requests; undefined for no limit
 */
export const rateLimit = (perMinute: number | undefined) => {
  if (perMinute === undefined) return createMiddleware<GatewayEnv>((_, next) => next());
  const limiter = new RateLimiterMemory({ points: perMinute, duration: WINDOW_SECONDS });
  const endUsers = new RateLimiterMemory({
    points: Math.ceil(perMinute / END_USERS_PART),
    duration: WINDOW_SECONDS,
  });
  return createMiddleware<GatewayEnv>(async (c, next) => {
    // who signs in belongs to no organisation yet
    if (!needsToken(c.req.path)) return next();
    const { orgId, userId, isEndUser } = c.get("caller");
    const refused =
      (isEndUser === true ? await refusedBy(endUsers, userId) : undefined) ??
      (await refusedBy(limiter, orgId));
    if (refused === undefined) return next();
    const seconds = Math.ceil(refused.msBeforeNext / MILLISECONDS_A_SECOND);
    c.header("retry-after", String(seconds));
    return renderProblem(c, problem("RateLimited", { perMinute, retryAfterSeconds: seconds }));
  });
};

const refusedBy = (limiter: RateLimiterMemory, key: string): Promise<RateLimiterRes | undefined> =>
  limiter.consume(key).then(() => undefined, exceeded);

const exceeded = (refused: unknown): RateLimiterRes => {
  if (refused instanceof RateLimiterRes) return refused;
  throw refused;
};
