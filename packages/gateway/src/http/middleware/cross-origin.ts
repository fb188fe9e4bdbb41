import { problem } from "@conclave/custody";
import type { Context } from "hono";
import { cors } from "hono/cors";
import { createMiddleware } from "hono/factory";
import type { GatewayEnv } from "../../dependencies.ts";
import { isPageOrigin, type PageOrigins } from "../page-origin.ts";
import { renderProblem } from "../problem-response.ts";

/** The headers that client libraries of all generations send (wire interface, section B.1). */
const REQUEST_HEADERS = [
  "authorization",
  "content-type",
  "x-dfns-appid",
  "x-dfns-appsecret",
  "x-dfns-nonce",
  "x-dfns-sdk-version",
  "x-dfns-useraction",
];

/** Response headers that pages may read besides the safelisted ones. */
const ANSWER_HEADERS = ["retry-after", "x-request-id"];
const METHODS = ["GET", "HEAD", "POST", "PUT", "DELETE"];
/** how long a browser caches a preflight */
const MAX_AGE_SECONDS = 600;

const isPreflight = (c: Context): boolean =>
  c.req.method === "OPTIONS" && c.req.header("access-control-request-method") !== undefined;

/**
 * Lets pages of the configured origins call the API, and read its answers, including errors (the Fetch standard, CORS
 * protocol). A preflight has no token, so it is answered before tokens are checked; one of another origin is refused
 * with a message for the developer. Other requests of foreign pages are served as usual: browsers hide the answer from
 * these pages.
 */
export const crossOrigin = (origins: PageOrigins) => {
  const allow = cors({
    origin: (origin) => (isPageOrigin(origins, origin) ? origin : null),
    allowMethods: METHODS,
    allowHeaders: REQUEST_HEADERS,
    exposeHeaders: ANSWER_HEADERS,
    maxAge: MAX_AGE_SECONDS,
    credentials: true,
  });
  return createMiddleware<GatewayEnv>(async (c, next) => {
    const origin = c.req.header("origin");
    // every answer depends on the origin, which caches must know
    if (origin === undefined || !isPageOrigin(origins, origin)) {
      c.header("vary", "Origin", { append: true });
      return isPreflight(c)
        ? renderProblem(c, problem("OriginNotAllowed", { origin: shortened(origin) }))
        : next();
    }
    return c.req.method === "OPTIONS" && !isPreflight(c) ? next() : allow(c, next);
  });
};

const LONGEST_SHOWN = 256;
const shortened = (origin: string | undefined): string => origin?.slice(0, LONGEST_SHOWN) ?? "";
