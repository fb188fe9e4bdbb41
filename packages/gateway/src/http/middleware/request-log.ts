import type { World } from "@conclave/custody";
import { Histogram, type Logger, type Metrics } from "@conclave/platform";
import { createMiddleware } from "hono/factory";
import { routePath } from "hono/route";
import type { GatewayEnv } from "../../dependencies.ts";
import { httpRequestAnswered } from "../../log-events.ts";

const BUCKETS_SECONDS = [0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 5, 15, 60];
const MILLISECONDS_A_SECOND = 1_000;

/** Gives each request an id, logs it in one line and measures it. Queries and bodies are not logged. */
export const requestLog = (world: World, logger: Logger, metrics: Metrics) => {
  const durations = new Histogram({
    name: "conclave_http_request_seconds",
    help: "How long requests took",
    labelNames: ["method", "route", "status"],
    buckets: BUCKETS_SECONDS,
    registers: [metrics.registry],
  });
  return createMiddleware<GatewayEnv>(async (c, next) => {
    const httpRequestId = world.freshUuid();
    const begunMs = world.monotonicMs();
    c.set("httpRequestId", httpRequestId);
    c.header("x-request-id", httpRequestId);
    await next();
    const seconds = (world.monotonicMs() - begunMs) / MILLISECONDS_A_SECOND;
    const { method, path } = c.req;
    const { status } = c.res;
    // the route's pattern, not the path: a label with one value per request would grow without limit
    durations.observe({ method: knownMethod(method), route: routePath(c, -1), status }, seconds);
    const orgId = c.get("caller")?.orgId;
    httpRequestAnswered(logger, { httpRequestId, method, path, status, seconds, orgId });
  });
};

const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];
const knownMethod = (method: string): string => (METHODS.includes(method) ? method : "other");
