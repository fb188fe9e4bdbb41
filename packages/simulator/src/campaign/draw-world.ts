import { type ChaosPlan, drawPlan, QUIET_PLAN } from "@conclave/chaos";
import { isCarriedOut } from "../fault/carried-out.ts";
import { chanceOf } from "../time/chance-of.ts";

const LOAD_MS = 8_000;
const PER_SECOND = 2;
const ORCHESTRATORS_MAX = 3;
/** Each draws some faults one after the other; together they overlap. */
const DRAWS = 4;

/** The size of the clusters of a campaign. */
export type ClusterSize = Pick<ChaosPlan, "signers" | "threshold">;

/**
 * Draws the plan of one world: how many orchestrators there are, and which faults happen. Each world leaves out a share of its faults, so
 * that in some worlds few of them happen, and in some all.
 *
 * @param seed a whole number
 */
export const drawWorld = (seed: number, size: ClusterSize): ChaosPlan => {
  const chance = chanceOf(String(seed), "plan");
  const orchestrators = chance.between(1, ORCHESTRATORS_MAX);
  const load = { ...QUIET_PLAN.load, perSecond: PER_SECOND, lastsMs: LOAD_MS };
  const [network = ""] = load.networks;
  const plan = { ...QUIET_PLAN, ...size, seed, orchestrators, load };
  const drawable = {
    points: [],
    lies: [],
    entries: [],
    unruly: { [network]: ["reorganise", "forget", "refuse"] },
  } as const;
  const drawn = Array.from({ length: DRAWS }, (_, at) =>
    drawPlan({ ...plan, seed: seed * DRAWS + at }, drawable),
  );
  const wildness = chance.share();
  const faults = drawn
    .flatMap((each) => each.faults)
    .filter(({ fault }) => isCarriedOut(fault) && chance.share() < wildness);
  return { ...plan, faults };
};
