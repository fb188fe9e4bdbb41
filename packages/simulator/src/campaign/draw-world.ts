import { type ChaosPlan, drawPlan, type PlannedFault, plannedText, QUIET_PLAN } from "@conclave/chaos";
import { whyNotCarriedOut } from "../fault/carried-out.ts";
import { chanceOf } from "../time/chance-of.ts";
import { drawNetworks } from "./draw-networks.ts";
import type { Profile } from "./profile.ts";
import { drawLosses, sparingStores } from "./spared-signers.ts";

/** The faults of chains that a world can have. */
const UNRULY = ["reorganise", "forget", "hold", "refuse"] as const;
const MS_PER_SECOND = 1_000;

/** The size of the worlds of a campaign. */
export interface WorldSize extends Pick<ChaosPlan, "signers" | "threshold"> {
  /** how many the clients ask for, two a second or many at once; faults begin while they do */
  readonly transfers: number;
}

/**
 * Draws the plan of one world: how many orchestrators and gateways there are, which faults happen, and which machines are lost for good.
 * Each world leaves out a share of its faults, so that in some worlds few of them happen, and in some all.
 *
 * @param seed a whole number
 */
export const drawWorld = (seed: number, { transfers, ...size }: WorldSize, profile: Profile): ChaosPlan => {
  const chance = chanceOf(String(seed), "plan");
  const orchestrators = chance.between(...profile.orchestrators);
  const gateways = chance.between(...profile.gateways);
  const drawnLoad = drawNetworks(seed, transfers, profile);
  const load = { ...drawnLoad, lastsMs: Math.round((transfers / drawnLoad.perSecond) * MS_PER_SECOND) };
  const plan = { ...QUIET_PLAN, ...size, seed, orchestrators, gateways, load };
  const drawable = {
    points: [],
    lies: [],
    entries: ["key/*", "vault/2/root", "*"],
    unruly: Object.fromEntries(load.networks.map((network) => [network, UNRULY] as const)),
    power: true,
  } as const;
  const drawn = Array.from({ length: profile.sequences }, (_, at) =>
    drawPlan({ ...plan, seed: seed * profile.sequences + at }, drawable),
  );
  const [least, most] = profile.kept;
  const wildness = least + chance.share() * (most - least);
  const faults = drawn
    .flatMap((each) => each.faults)
    .filter(({ fault }) => whyNotCarriedOut(fault) === undefined && chance.share() < wildness);
  const spared = sparingStores(plan, eachOnce(faults));
  const lost = chance.share() < wildness ? drawLosses(chance, plan, spared, load.lastsMs) : [];
  return { ...plan, faults: [...spared, ...lost] };
};

/** A plan cannot say one fault twice. */
const eachOnce = (faults: readonly PlannedFault[]): readonly PlannedFault[] => {
  const texts = new Map(faults.map((fault) => [plannedText(fault), fault]));
  return [...texts.values()];
};
