import { problem } from "@conclave/custody";
import { createMiddleware } from "hono/factory";
import type { GatewayEnv } from "../../dependencies.ts";
import { renderProblem } from "../problem-response.ts";

/** A request without any body is not one whose body is {}: where a body is needed, it may leave out each field, and not itself. */
export const bodyGiven = createMiddleware<GatewayEnv>(async (c, next) => {
  if ((await c.req.text()).length > 0) return next();
  const issues = [{ path: "", message: "is missing" }];
  return renderProblem(c, problem("InvalidBody", { issues }, "A request body is needed."));
});
