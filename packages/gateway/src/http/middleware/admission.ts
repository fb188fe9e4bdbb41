import type { UserId } from "@conclave/custody";
import { FairTurns } from "@conclave/platform";
import type { Context, Next } from "hono";
import { createMiddleware } from "hono/factory";
import { inTurn, noTurnProblem } from "../../admission/in-turn.ts";
import type { AdmissionLimits } from "../../admission/limits.ts";
import { revokesRights } from "../../admission/revoking-operations.ts";
import { asksContracts, waitsForSigners } from "../../admission/signing-operations.ts";
import type { Dependencies, GatewayEnv } from "../../dependencies.ts";
import { renderProblem } from "../problem-response.ts";
import { needsToken } from "./public-paths.ts";
import { turnsOfStrangers } from "./strangers.ts";

/** Refuses requests beyond the number that a gateway holds. It needs no lookup, so it comes first. */
export const underWay = ({ underWay: most }: AdmissionLimits) => {
  let requests = 0;
  return createMiddleware<GatewayEnv>(async (c, next) => {
    if (requests >= most) return renderProblem(c, noTurnProblem("too many of all"));
    requests += 1;
    try {
      await next();
    } finally {
      requests -= 1;
    }
    return undefined;
  });
};

/**
 * Gives each request its turn, before its body is read or its signed action is used up. Organisations take turns; if
 * one has too many requests under way, its next one is refused, and the others are still served. One revocation of each
 * person goes before the organisation's other requests, and beyond its share. The transactions of the request count as
 * its organisation's from here on. Callers without a token have no organisation: see strangers.ts.
 */
export const admission = (
  dependencies: Pick<Dependencies, "world" | "admission" | "contractTurns" | "onBehalfOf" | "proxies">,
) => {
  const { world, admission: limits, contractTurns, onBehalfOf } = dependencies;
  const asStranger = turnsOfStrangers(dependencies);
  const atWork = new FairTurns(world, limits.work);
  const signing = new FairTurns(world, limits.signing);
  const turnsOf = (method: string, path: string): FairTurns => {
    if (waitsForSigners(method, path)) return signing;
    return asksContracts(method, path) ? contractTurns : atWork;
  };
  /** people with a revocation under way: a second one of theirs gets no priority over other people's */
  const revoking = new Set<UserId>();
  const inOrder = async (c: Context<GatewayEnv>, next: Next, isFirst: boolean): Promise<void> => {
    const { method, path } = c.req;
    const organisation = c.get("caller").orgId;
    const work = () => onBehalfOf(organisation, next, isFirst);
    return inTurn(turnsOf(method, path), organisation, work, isFirst);
  };
  return createMiddleware<GatewayEnv>(async (c, next) => {
    const { method, path } = c.req;
    if (!needsToken(path)) return asStranger(c, next);
    if (!revokesRights(method, path)) return inOrder(c, next, false);
    const { userId, isEndUser } = c.get("caller");
    if (isEndUser === true || revoking.has(userId)) return inOrder(c, next, false);
    revoking.add(userId);
    try {
      return await inOrder(c, next, true);
    } finally {
      revoking.delete(userId);
    }
  });
};
