import { problem } from "@conclave/custody";
import type { Context } from "hono";
import { createMiddleware } from "hono/factory";
import type { GatewayEnv } from "../../dependencies.ts";
import type { UserActions } from "../../user-action/user-actions.ts";
import { renderProblem } from "../problem-response.ts";
import { Refused } from "../refused.ts";
import { needsAction } from "./public-paths.ts";

const HEADER = "x-dfns-useraction";
const missing = () => problem("UserActionInvalid", { missing: HEADER });
const READS = ["GET", "HEAD"];

/**
 * Admits a change only with a signed action for exactly this request, used once (wire interface, section B.3).
 * @param required whether a change without the header is refused; if the header is present, it must be valid in any
 * case
 */
export const userAction = (actions: UserActions, required: boolean) =>
  createMiddleware<GatewayEnv>(async (c, next) => {
    if (READS.includes(c.req.method) || !needsAction(c.req.path)) return next();
    const token = c.req.header(HEADER);
    if (token === undefined) {
      return required ? renderProblem(c, missing()) : next();
    }
    const request = { method: c.req.method, path: new URL(c.req.url).pathname, payload: await c.req.text() };
    const used = await actions.use(c.get("caller"), c.get("principal").username, token, request);
    return used.ok ? next() : renderProblem(c, used.problem);
  });

/**
 * For operations that a stolen token alone must never carry out, even where the cluster requires no signed actions
 * (service interface, Import wallet). The header's action, if sent, was judged before. @throws Refused with
 * UserActionInvalid
 */
export const demandAction = (c: Context<GatewayEnv>): void => {
  if (c.req.header(HEADER) === undefined) throw new Refused(missing());
};
