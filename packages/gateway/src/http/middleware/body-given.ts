import { problem } from "@conclave/custody";
import { createMiddleware } from "hono/factory";
import type { GatewayEnv } from "../../dependencies.ts";
import { renderProblem } from "../problem-response.ts";

/** Refuses a request without a body, for operations that need one. A body of {} passes, as all its fields may be optional. */
export const bodyGiven = createMiddleware<GatewayEnv>(async (c, next) => {
  if ((await c.req.text()).length > 0) return next();
  const issues = [{ path: "", message: "is missing" }];
  return renderProblem(c, problem("InvalidBody", { issues }, "A request body is needed."));
});
