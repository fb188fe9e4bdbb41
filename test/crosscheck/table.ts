import type { CrateReply } from "./crate-program.ts";
import type { Trial } from "./trial.ts";

/** What came of all trials of one name at one size. */
export interface Outcome {
  readonly name: string;
  readonly tried: number;
  /** for each that failed, why */
  readonly flaws: readonly string[];
  /** in the crate's program, all together */
  readonly ms: number;
}

/** Judges the crate's answers. @param answers one for each trial, in their order */
export const outcomesOf = (
  trials: readonly Trial[],
  answers: CrateReply["answers"],
): readonly Outcome[] => {
  const outcomes = new Map<string, Outcome>();
  for (const [at, { name, flawOf }] of trials.entries()) {
    const given = answers[at];
    const flaw = given === undefined ? "there is no answer" : flawOf(given.answer);
    const before = outcomes.get(name) ?? { name, tried: 0, flaws: [], ms: 0 };
    outcomes.set(name, {
      name,
      tried: before.tried + 1,
      flaws: flaw === undefined ? before.flaws : [...before.flaws, flaw],
      ms: before.ms + (given?.ms ?? 0),
    });
  }
  return [...outcomes.values()];
};

const SECOND = 1_000;
const REASON_MAX = 300;

const rowOf = (size: string, { name, tried, flaws, ms }: Outcome): string =>
  `| ${[size, name, `${tried - flaws.length} of ${tried}`, `${(ms / SECOND).toFixed(1)} s`].join(" | ")} |`;

/** The outcomes of each size as a table of Markdown, and under it the reasons of what failed. */
export const tableOfOutcomes = (
  sizes: readonly (readonly [size: string, outcomes: readonly Outcome[]])[],
): string => {
  const rows = sizes.flatMap(([size, outcomes]) => outcomes.map((outcome) => rowOf(size, outcome)));
  const reasons = sizes.flatMap(([size, outcomes]) =>
    outcomes.flatMap(({ name, flaws }) =>
      [...new Set(flaws)].map((flaw) => `- ${size}, ${name}: ${flaw.slice(0, REASON_MAX)}`),
    ),
  );
  const table = ["| moduli | the crate | passed | time in it |", "|---|---|---|---|", ...rows];
  return [...table, ...(reasons.length > 0 ? ["", "Not as it should be:", "", ...reasons] : [])].join("\n");
};
