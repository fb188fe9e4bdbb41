import { fail, ok, type Result } from "@conclave/custody";
import { type Caller, dateIssuedOf, type Principal, readPrincipal, tokenHashOf } from "@conclave/platform";
import { createMiddleware } from "hono/factory";
import type { Dependencies, GatewayEnv } from "../../dependencies.ts";
import { APPLICATION_HEADER, namedApplication } from "../../people/named-application.ts";
import { renderProblem } from "../problem-response.ts";
import { needsToken } from "./public-paths.ts";

type Needed = Pick<Dependencies, "verifyToken" | "database">;

/** Admits only callers with a valid token whose user and token are active now (wire interface, section B.1). */
export const bearer = (dependencies: Needed) =>
  createMiddleware<GatewayEnv>(async (c, next) => {
    if (!needsToken(c.req.path)) return next();
    const known = await callerOf(dependencies, c.req.header("authorization"));
    if (!known.ok) return renderProblem(c, known.problem);
    const { caller, principal } = known.value;
    const application = await namedApplication(
      dependencies.database,
      caller.orgId,
      c.req.header(APPLICATION_HEADER),
    );
    c.set("caller", { ...caller, isEndUser: principal.kind === "EndUser", namedAppId: application?.id });
    c.set("application", application);
    c.set("principal", principal);
    return next();
  });

const callerOf = async (
  { verifyToken, database }: Needed,
  header: string | undefined,
): Promise<Result<{ readonly caller: Caller; readonly principal: Principal }>> => {
  const token = bearerToken(header);
  if (token === undefined) return fail("TokenMissing");
  const caller = await verifyToken(token);
  if (!caller.ok) return caller;
  const shown = { hash: tokenHashOf(token), dateIssued: dateIssuedOf(token) };
  const principal = await readPrincipal(database, caller.value, shown);
  return principal === undefined ? fail("TokenInvalid") : ok({ caller: caller.value, principal });
};

/** The token in an authorization header. */
export const bearerToken = (header: string | undefined): string | undefined =>
  /^Bearer +([\w.~+/=-]+)$/i.exec(header ?? "")?.[1];
