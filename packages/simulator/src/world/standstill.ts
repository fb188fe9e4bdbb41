import type { Violation } from "../check/violation.ts";

const US_PER_MS = 1_000;
const MS_DIGITS = 3;
const WORDS_MAX = 100;

/** A process at the end of a run that stood still. */
export interface StandingProcess {
  readonly name: string;
  readonly state: "runs" | "paused" | "dead" | "lost for good";
  /** the last thing that it did or asked for; undefined where it did nothing */
  readonly last: { readonly atUs: number; readonly words: string } | undefined;
}

/** The facts of a world that makes no progress: the transfers that have not ended, and the state of processes and links. */
export interface Standstill {
  /** transfers that have not ended; undefined where the database does not say */
  readonly waiting:
    | readonly { readonly id: string; readonly status: string; readonly reason: string | undefined }[]
    | undefined;
  readonly processes: readonly StandingProcess[];
  /** such as `signer-1 → signer-2` */
  readonly cutWays: readonly string[];
  readonly isDatabaseAway: boolean;
}

/** The finding of a world that makes no progress. @param why the limit that it met */
export const standstill = (why: string, facts: Standstill): Violation => ({
  invariant: "progress",
  words: [why, ...waitingLines(facts), ...linkLines(facts), ...facts.processes.map(processLine)].join(
    "\n    ",
  ),
});

const waitingLines = ({ waiting }: Standstill): readonly string[] =>
  waiting === undefined
    ? ["the database does not say which transfers wait: a transaction stays open"]
    : waiting.map(
        ({ id, status, reason }) => `${id} is ${status}${reason === undefined ? "" : `: ${reason}`}`,
      );

const linkLines = ({ cutWays, isDatabaseAway }: Standstill): readonly string[] => [
  ...(isDatabaseAway ? ["postgres is away"] : []),
  ...cutWays.map((way) => `cut: ${way}`),
];

const processLine = ({ name, state, last }: StandingProcess): string => {
  if (last === undefined) return `${name} ${standing(state)} and did nothing`;
  const at = (last.atUs / US_PER_MS).toFixed(MS_DIGITS);
  const words = last.words.replace(/\s+/g, " ").trim();
  const shown = words.length > WORDS_MAX ? `${words.slice(0, WORDS_MAX)}…` : words;
  return `${name} ${standing(state)}; its last: ${shown} at ${at} ms`;
};

const standing = (state: StandingProcess["state"]): string => (state === "runs" ? state : `is ${state}`);
