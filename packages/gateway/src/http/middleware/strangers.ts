import { problem, type World } from "@conclave/custody";
import { FairTurns } from "@conclave/platform";
import type { Context, Next } from "hono";
import { inTurn } from "../../admission/in-turn.ts";
import type { Dependencies, GatewayEnv } from "../../dependencies.ts";
import { callerAddress } from "../caller-address.ts";
import { Refused } from "../refused.ts";
import { asksProvider } from "./public-paths.ts";

/** The name under which all callers who sign in share one organisation's part of the database. */
const NOBODY = "nobody";
/** Bodies up to this size are read without a turn; no ordinary client sends a longer one. */
const SMALL_BODY_BYTES = 65_536;

/** Whether the request declares a small body, or has none. Node reads no more of it than declared. */
const isSmall = ({ req }: Context<GatewayEnv>): boolean => {
  const declared = req.header("content-length");
  return declared === undefined ? req.raw.body === null : Number(declared) <= SMALL_BODY_BYTES;
};

/** Waits for a body. @throws Refused with RequestTooSlow */
const arrival = (world: World, withinMs: number, body: Promise<unknown>): Promise<void> =>
  new Promise((resolve, reject) => {
    const late = world.after(withinMs, () => reject(new Refused(problem("RequestTooSlow"))));
    body.then(() => resolve(), reject).finally(late.stop);
  });

/**
 * Gives a turn to each request without a token. Addresses take turns as organisations do. A request whose body does not
 * arrive takes no place among those at work.
 * @throws Refused with TooManyAtOnce, Overloaded or RequestTooSlow
 */
export const turnsOfStrangers = ({
  world,
  admission,
  onBehalfOf,
  proxies,
}: Pick<Dependencies, "world" | "admission" | "onBehalfOf" | "proxies">) => {
  const strangers = new FairTurns(world, admission.strangers);
  const signingIn = new FairTurns(world, admission.signingIn);
  const atProviders = new FairTurns(world, admission.atProviders);
  const large = new FairTurns(world, admission.largeOfStrangers);
  return async (c: Context<GatewayEnv>, next: Next): Promise<void> => {
    const address = callerAddress(c.env, c.req.header("x-forwarded-for"), proxies);
    const work = () => onBehalfOf(NOBODY, next, false);
    return inTurn(strangers, address, async () => {
      if (!isSmall(c)) return inTurn(large, address, work);
      // the request caches the text for later readers
      await arrival(world, admission.arrivalMs, c.req.text());
      return inTurn(asksProvider(c.req.path) ? atProviders : signingIn, address, work);
    });
  };
};
