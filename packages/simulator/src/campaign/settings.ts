import { parsePlan, QUIET_PLAN } from "@conclave/chaos";
import type { WorldSize } from "./draw-world.ts";
import { isProfileName, PROFILES, type ProfileName, USUAL_PROFILE } from "./profile.ts";

/** The settings of a campaign. */
export interface CampaignSettings {
  readonly firstSeed: number;
  /** how many worlds there are; undefined: worlds begin until the time is over */
  readonly worlds: number | undefined;
  readonly minutes: number;
  /** how many worlds run at a time */
  readonly cores: number;
  /** how many smaller plans are run at most for a failed world; 0: none */
  readonly shrinkRuns: number;
  /** from so many worlds on, a campaign fails that never reached a thing of the table; 0: never */
  readonly sometimesFrom: number;
  /** how wild the faults are: those that worlds draw, and the lost statements of all worlds */
  readonly profile: ProfileName;
  /** of drawn worlds */
  readonly size: WorldSize;
  /** the file with the plan of all worlds; undefined: each world draws its own */
  readonly planFile: string | undefined;
}

/** Settings, or a sentence that says which text is none, and what is expected. */
export type ReadCampaignSettings =
  | { readonly ok: true; readonly settings: CampaignSettings }
  | { readonly ok: false; readonly sentence: string };

/** The values of settings that are left out. */
export interface SettingDefaults {
  readonly seed: number;
  readonly cores: number;
}

/** By setting, the least and the most. A seed is a line of the plan of its world, and has nine digits there. */
const RANGES = {
  SEED: [1, 900_000_000],
  WORLDS: [1, 90_000_000],
  MINUTES: [1, 100_000],
  CORES: [1, 1_024],
  SHRINK: [0, 10_000],
  SOMETIMES: [0, 90_000_000],
  SIGNERS: [2, 20],
  THRESHOLD: [2, 20],
  TRANSFERS: [1, 10_000],
} as const satisfies Readonly<Record<string, readonly [number, number]>>;

const SHRINK_RUNS = 40;
/** The rarest thing of the table is in one of some thirty rough worlds. */
const SOMETIMES_FROM = 500;

/** The transfers of a drawn world, where none are named. */
export const USUAL_TRANSFERS = 16;

type Texts = Readonly<Record<string, string | undefined>>;

/**
 * Reads the settings of `make simulate`. An empty text is one that is left out.
 * @param texts the environment
 */
export const readCampaignSettings = (
  texts: Texts,
  { seed, cores }: SettingDefaults,
): ReadCampaignSettings => {
  const wrong: string[] = [];
  const numberOf = <T>(name: keyof typeof RANGES, otherwise: T): number | T => {
    const text = texts[name] ?? "";
    if (text === "") return otherwise;
    const [least, most] = RANGES[name];
    const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
    if (value >= least && value <= most) return value;
    wrong.push(`${name} is a whole number from ${least} to ${most}, not "${text}".`);
    return otherwise;
  };
  const profile = texts["PROFILE"] || USUAL_PROFILE;
  const isProfile = isProfileName(profile);
  if (!isProfile) wrong.push(`PROFILE is one of ${Object.keys(PROFILES).join(", ")}, not "${profile}".`);
  const planFile = texts["PLAN"] === "" ? undefined : texts["PLAN"];
  const settings: CampaignSettings = {
    firstSeed: numberOf("SEED", seed),
    worlds: numberOf("WORLDS", planFile === undefined ? undefined : 1),
    minutes: numberOf("MINUTES", 1),
    cores: numberOf("CORES", cores),
    shrinkRuns: numberOf("SHRINK", SHRINK_RUNS),
    sometimesFrom: numberOf("SOMETIMES", SOMETIMES_FROM),
    profile: isProfile ? profile : USUAL_PROFILE,
    size: {
      signers: numberOf("SIGNERS", QUIET_PLAN.signers),
      threshold: numberOf("THRESHOLD", QUIET_PLAN.threshold),
      transfers: numberOf("TRANSFERS", USUAL_TRANSFERS),
    },
    planFile,
  };
  const [sentence = whyNotSize(settings.size)] = wrong;
  return sentence === undefined ? { ok: true, settings } : { ok: false, sentence };
};

const whyNotSize = ({ signers, threshold }: WorldSize): string | undefined => {
  const sized = parsePlan(`signers ${signers}\nthreshold ${threshold}`);
  if (sized.ok) return undefined;
  return sized.problems.map(({ message, remedy }) => `SIGNERS, THRESHOLD: ${message}. ${remedy}`).join(" ");
};
