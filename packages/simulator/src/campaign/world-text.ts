import { QUIET_PLAN } from "@conclave/chaos";
import type { Violation } from "../check/violation.ts";
import type { EndedWorld } from "./campaign.ts";
import type { WorldSize } from "./draw-world.ts";
import { USUAL_PROFILE } from "./profile.ts";
import { type CampaignSettings, USUAL_TRANSFERS } from "./settings.ts";

const MS_PER_SECOND = 1_000;

/** A world in a line, with a line for each fault that was not carried out and for each finding. */
export const worldText = ({ order, report }: EndedWorld): string => {
  const { transfers, steps, lastedMs, outcomes, findings } = report;
  const seconds = (lastedMs / MS_PER_SECOND).toFixed(1);
  const found = findings.length === 0 ? "no finding" : `${findings.length} findings`;
  return [
    `world ${order.seed}: ${transfers} transfers, ${outcomes.length} faults, ${steps} steps, ${seconds} virtual s, ${found}`,
    ...outcomes.flatMap(({ text, trouble }) =>
      trouble === undefined ? [] : [`  not carried out: ${text}: ${trouble}`],
    ),
    ...findings.map((finding) => `  ${findingText(finding)}`),
  ].join("\n");
};

/** A finding in a line, with its time where it was seen while the world ran. */
export const findingText = ({ invariant, words, atMs }: Violation): string =>
  atMs === undefined
    ? `${invariant}: ${words}`
    : `${invariant} at ${(atMs / MS_PER_SECOND).toFixed(3)} s: ${words}`;

/** The settings of drawn worlds that are not the usual ones. */
const sizeTexts = ({ signers, threshold, transfers }: WorldSize): readonly string[] => {
  const isUsual = signers === QUIET_PLAN.signers && threshold === QUIET_PLAN.threshold;
  return [
    ...(isUsual ? [] : [`SIGNERS=${signers}`, `THRESHOLD=${threshold}`]),
    ...(transfers === USUAL_TRANSFERS ? [] : [`TRANSFERS=${transfers}`]),
  ];
};

/** The command that repeats a world of a campaign. @param shrunkFile a plan that takes the place of the campaign's */
export const repeatLine = (
  { size, planFile, profile }: Pick<CampaignSettings, "size" | "planFile" | "profile">,
  seed: number,
  shrunkFile = planFile,
): string => {
  const world = shrunkFile === undefined ? sizeTexts(size) : [`PLAN=${shrunkFile}`];
  const faults = profile === USUAL_PROFILE ? [] : [`PROFILE=${profile}`];
  return ["make simulate", `SEED=${seed}`, "WORLDS=1", ...world, ...faults].join(" ");
};
