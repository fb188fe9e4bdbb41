import { problem } from "@conclave/custody";
import type { OpenAPIHono } from "@hono/zod-openapi";
import type { Context } from "hono";
import type { GatewayEnv } from "../dependencies.ts";
import { GUIDES_PATH, readGuides } from "../guides/guides.ts";
import { GUIDES_STYLE } from "../guides/style.ts";
import { renderProblem } from "../http/problem-response.ts";

/** Allows text, and pictures and styles of this service: a guide runs no script and loads nothing else. */
const POLICY =
  "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** Adds the guides, which are documents of this repository, as pages. They need no token. */
export const addGuideRoutes = (app: OpenAPIHono<GatewayEnv>): void => {
  let guides: ReadonlyMap<string, string> | undefined;
  app.get(`${GUIDES_PATH}/guides.css`, (c) =>
    c.body(GUIDES_STYLE, 200, { "content-type": "text/css; charset=utf-8" }),
  );
  const show = (c: Context<GatewayEnv>, name: string) => {
    // read at the first request, so that a gateway starts without them
    guides ??= readGuides();
    const page = guides.get(name);
    if (page === undefined) return renderProblem(c, problem("NotFound"));
    c.header("content-security-policy", POLICY);
    return c.html(page);
  };
  app.get(GUIDES_PATH, (c) => show(c, ""));
  app.get(`${GUIDES_PATH}/:name`, (c) => show(c, c.req.param("name")));
};
