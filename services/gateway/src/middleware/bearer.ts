import { fail, ok, problem, type Result } from "@conclave/custody";
import { type Caller, readOrganisation } from "@conclave/platform";
import { createMiddleware } from "hono/factory";
import type { Dependencies, GatewayEnv } from "../dependencies.ts";
import { renderProblem } from "../problem-response.ts";

/** Lets only callers with a good token of an existing organisation pass (wire interface, section B.1). */
export const bearer = (dependencies: Pick<Dependencies, "verifyToken" | "database">) =>
  createMiddleware<GatewayEnv>(async (c, next) => {
    const caller = await callerOf(dependencies, c.req.header("authorization"));
    if (!caller.ok) return renderProblem(c, caller.problem);
    c.set("caller", caller.value);
    return next();
  });

const callerOf = async (
  { verifyToken, database }: Pick<Dependencies, "verifyToken" | "database">,
  header: string | undefined,
): Promise<Result<Caller>> => {
  const token = /^Bearer +([\w.~+/=-]+)$/i.exec(header ?? "")?.[1];
  if (token === undefined) return fail("TokenMissing");
  const caller = await verifyToken(token);
  if (!caller.ok) return caller;
  const organisation = await readOrganisation(database, caller.value.orgId);
  return organisation === undefined ? { ok: false, problem: problem("TokenInvalid") } : ok(caller.value);
};
