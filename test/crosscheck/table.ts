import type { CrateReply } from "./crate-program.ts";
import type { Trial } from "./trial.ts";

/** The outcome of all trials with one name at one size. */
export interface Outcome {
  readonly name: string;
  readonly tried: number;
  /** the reason of each failed trial */
  readonly flaws: readonly string[];
  /** total time in the crate's program */
  readonly ms: number;
}

/** Judges the crate's answers. @param answers one for each trial, in their order */
export const outcomesOf = (trials: readonly Trial[], answers: CrateReply["answers"]): readonly Outcome[] => {
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

/** All outcomes at one size. */
export interface SizeOutcomes {
  /** such as "3072 bits" */
  readonly size: string;
  readonly outcomes: readonly Outcome[];
  /** from making the primes to the last judgement, including our library's part */
  readonly ms: number;
}

const SECOND = 1_000;
const REASON_MAX = 300;

const secondsOf = (ms: number): string => `${(ms / SECOND).toFixed(1)} s`;
const rowOf = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;

const cellOf = ({ outcomes }: SizeOutcomes, name: string): string => {
  const outcome = outcomes.find((one) => one.name === name);
  if (outcome === undefined) return "";
  const { tried, flaws, ms } = outcome;
  const passed = `${tried - flaws.length} of ${tried}`;
  return `${flaws.length === 0 ? passed : `**${passed}**`}, ${secondsOf(ms)}`;
};

/** The outcomes as a Markdown table with the time in the crate's program, followed by the reasons of failures. */
export const tableOfOutcomes = (sizes: readonly SizeOutcomes[]): string => {
  const names = [...new Set(sizes.flatMap(({ outcomes }) => outcomes.map(({ name }) => name)))];
  const rows = [
    ["the crate, with moduli of", ...sizes.map(({ size }) => size)],
    ["---", ...sizes.map(() => "---")],
    ...names.map((name) => [name, ...sizes.map((size) => cellOf(size, name))]),
    ["all, with the part of our library", ...sizes.map(({ ms }) => secondsOf(ms))],
  ];
  const reasons = sizes.flatMap(({ size, outcomes }) =>
    outcomes.flatMap(({ name, flaws }) =>
      [...new Set(flaws)].map((flaw) => `- ${size}, ${name}: ${flaw.slice(0, REASON_MAX)}`),
    ),
  );
  return [
    ...rows.map(rowOf),
    ...(reasons.length > 0 ? ["", "Not as it should be:", "", ...reasons] : []),
  ].join("\n");
};
