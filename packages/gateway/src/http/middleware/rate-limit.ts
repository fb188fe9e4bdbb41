import { problem } from "@conclave/custody";
import { type Database, takeFromWindow } from "@conclave/platform";
import { createMiddleware } from "hono/factory";
import { Allowance } from "../../admission/allowance.ts";
import { revokesRights } from "../../admission/revoking-operations.ts";
import type { Dependencies, GatewayEnv } from "../../dependencies.ts";
import { requestsCountedAlone } from "../../log-events.ts";
import { renderProblem } from "../problem-response.ts";
import { needsToken } from "./public-paths.ts";

const WINDOW_SECONDS = 60;
const MILLISECONDS_A_SECOND = 1_000;
/**
 * divisor: one end user gets a tenth of the organisation's limit, at least one request, so that the rest is left to the
 * organisation's own people
 */
const END_USERS_PART = 10;
/** divisor: each person gets a tenth for revocations, once the organisation's limit is used up */
const REVOCATIONS_PART = 10;

type Needed = Pick<Dependencies, "database" | "logger" | "requestsPerMinute" | "world">;

/**
 * Limits the requests that an organisation may send in a minute (wire interface, section E.2) to all gateways together,
 * and those of each of its end users; a refused request of an end user does not count against the organisation. Each
 * person has a separate allowance to revoke rights.
 */
export const rateLimit = ({ database, logger, requestsPerMinute: perMinute, world }: Needed) => {
  if (perMinute === undefined) return createMiddleware<GatewayEnv>((_, next) => next());
  const allowance = sharedAllowance(database, logger, world);
  return createMiddleware<GatewayEnv>(async (c, next) => {
    // a caller who signs in belongs to no organisation yet
    if (!needsToken(c.req.path)) return next();
    const { orgId, userId, isEndUser } = c.get("caller");
    const refusedForMs =
      (isEndUser === true
        ? await allowance.spend(userId, Math.ceil(perMinute / END_USERS_PART))
        : undefined) ?? (await allowance.spend(orgId, perMinute));
    if (refusedForMs === undefined) return next();
    if (isEndUser !== true && revokesRights(c.req.method, c.req.path)) {
      const ownPart = Math.ceil(perMinute / REVOCATIONS_PART);
      if ((await allowance.spend(`revocations of ${userId}`, ownPart)) === undefined) return next();
    }
    const seconds = Math.ceil(refusedForMs / MILLISECONDS_A_SECOND);
    return renderProblem(c, problem("RateLimited", { perMinute, retryAfterSeconds: seconds }));
  });
};

const sharedAllowance = (
  database: Pick<Database, "rows">,
  logger: Needed["logger"],
  world: Needed["world"],
): Allowance =>
  new Allowance({
    take: (subject, limit, wanted) =>
      takeFromWindow(database, { subject, limit, wanted, windowSeconds: WINDOW_SECONDS }),
    nowMs: world.monotonicMs,
    windowMs: WINDOW_SECONDS * MILLISECONDS_A_SECOND,
    onAway: (err) => requestsCountedAlone(logger, { err }),
  });
