import { type ChaosPlan, drawPlan, QUIET_PLAN } from "@conclave/chaos";
import { isCarriedOut } from "../fault/carried-out.ts";
import { chanceOf } from "../process/parts.ts";

const LOAD_MS = 8_000;
const PER_SECOND = 2;
const ORCHESTRATORS_MAX = 3;

/** The size of the clusters of a campaign. */
export type ClusterSize = Pick<ChaosPlan, "signers" | "threshold">;

/**
 * Draws the plan of one world: how many orchestrators there are, and which faults happen. Each world leaves out some faults, drawn one by
 * one, so that few of them happen together in many worlds, and all in some.
 *
 * @param seed a whole number
 */
export const drawWorld = (seed: number, size: ClusterSize): ChaosPlan => {
  const chance = chanceOf(String(seed), "plan");
  const orchestrators = chance.between(1, ORCHESTRATORS_MAX);
  const load = { ...QUIET_PLAN.load, perSecond: PER_SECOND, lastsMs: LOAD_MS };
  const [network = ""] = load.networks;
  const drawn = drawPlan(
    { ...QUIET_PLAN, ...size, seed, orchestrators, load },
    { points: [], lies: [], entries: [], unruly: { [network]: ["reorganise", "forget", "refuse"] } },
  );
  const wildness = chance.share();
  const faults = drawn.faults.filter(({ fault }) => isCarriedOut(fault) && chance.share() < wildness);
  return { ...drawn, faults };
};
