import { CLOCKS_APART_MS_MAX, type Problem, problem, type World } from "@conclave/custody";
import {
  attend,
  type Database,
  type DatabaseClock,
  databaseClockSet,
  type Logger,
  type Subscription,
} from "@conclave/platform";
import { createMiddleware } from "hono/factory";
import type { Authority } from "./authority.ts";
import type { GatewayEnv } from "./dependencies.ts";
import { renderProblem } from "./http/problem-response.ts";
import { Refused } from "./http/refused.ts";
import { clocksAgree, clocksCameApart, databaseTimeUnknown } from "./log-events.ts";

const MILLISECONDS_A_SECOND = 1_000;

/** This machine's clock, compared with the database's. */
export type ComparedClock = Pick<DatabaseClock, "aheadMs">;

/** ClocksApart while the clocks are too far apart to accept or to sign anything; undefined while they agree. */
export const clockProblem = ({ aheadMs }: ComparedClock): Problem | undefined =>
  Math.abs(aheadMs) > CLOCKS_APART_MS_MAX
    ? problem("ClocksApart", { aheadSeconds: Math.round(aheadMs / MILLISECONDS_A_SECOND) })
    : undefined;

/** Refuses every request while the clocks are apart: the gateway judges tokens and dates requests by its clock, which may be wrong. */
export const clockGate = (clock: ComparedClock) =>
  createMiddleware<GatewayEnv>(async (c, next) => {
    const found = clockProblem(clock);
    if (found !== undefined) return renderProblem(c, found);
    await next();
    return undefined;
  });

/**
 * Returns an authority that signs nothing while the clocks are apart, and throws Refused with ClocksApart: signers
 * would refuse its dates, and a clock that is ahead would make authorisations expire early.
 */
export const whileClocksAgree =
  (clock: ComparedClock, authority: Authority): Authority =>
  (request) => {
    const found = clockProblem(clock);
    if (found !== undefined) throw new Refused(found);
    return authority(request);
  };

/** Follows the database's clock until stopped, and logs when the clocks come apart or agree again. */
export const startClockWatch = ({
  world,
  database,
  clock,
  logger,
}: {
  readonly world: World;
  readonly database: Pick<Database, "rows">;
  readonly clock: DatabaseClock;
  readonly logger: Pick<Logger, "warn" | "info">;
}): Subscription => {
  let wereApart = false;
  return attend({
    world,
    round: async () => {
      const { setByMs } = await clock.measure(database);
      if (setByMs !== undefined && setByMs !== 0) databaseClockSet(logger, { setByMs });
      const areApart = clockProblem(clock) !== undefined;
      const { aheadMs } = clock;
      if (areApart && !wereApart) clocksCameApart(logger, { aheadMs });
      if (!areApart && wereApart) clocksAgree(logger, { aheadMs });
      wereApart = areApart;
      return 0;
    },
    onFailure: (err) => databaseTimeUnknown(logger, { err }),
  });
};
