import type { ChaosPlan } from "@conclave/chaos";
import type { WorldOrder } from "../workers/world-order.ts";
import { drawAttack } from "./draw-attack.ts";
import type { Profile } from "./profile.ts";

/** The order of a world that runs a plan: the profile and the seed say what the plan does not name. */
export const drawOrder = (seed: number, plan: ChaosPlan, profile: Profile): WorldOrder => ({
  seed,
  plan,
  lostStatements: profile.lostStatements,
  attack: drawAttack(seed, profile),
});
