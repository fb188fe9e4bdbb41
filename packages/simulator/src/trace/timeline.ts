import type { TraceLine } from "./trace.ts";

const US_PER_SECOND = 1_000_000;
const SECOND_DIGITS = 3;
const TIME_CHARACTERS = 9;
const NAMED = /^(gateway|orchestrator|signer)-(\d+)$/;
const FIRST_LIFE = "starts its life 1";

type Lane = "runs" | "paused" | "dead";

/** The character of a process that does nothing of note. */
const QUIET: Readonly<Record<Lane, string>> = { runs: "│", paused: "‖", dead: " " };

/** How a line of a process changes its lane, and the character that shows it. */
const changeBy = (words: string): { readonly lane: Lane; readonly mark: string } | undefined => {
  if (words.startsWith("starts its life")) return { lane: "runs", mark: "○" };
  if (words === "dies") return { lane: "dead", mark: "×" };
  if (words === "is paused") return { lane: "paused", mark: "‖" };
  return words === "goes on" ? { lane: "runs", mark: "│" } : undefined;
};

/**
 * The events of a run for people: one line for each, with a lane for each process. A lane is empty while its process is dead, and doubled while
 * it is paused.
 * @param names of all processes, such as signer-1, in the order of their lanes
 */
export const timelineText = (lines: readonly TraceLine[], names: readonly string[]): string => {
  const width = Math.max(...names.map((name) => shortOf(name).length)) + 1;
  const lanes = new Map<string, Lane>(names.map((name) => [name, "runs"]));
  const row = (time: string, characterOf: (name: string) => string, words: string): string => {
    const shown = names.map((name) => characterOf(name).padEnd(width)).join("");
    return `${time.padStart(TIME_CHARACTERS)}   ${shown}  ${words}`.trimEnd();
  };
  const events = lines.flatMap((line) => {
    const { atUs, process, words } = line;
    if (words === FIRST_LIFE) return [];
    const change = lanes.has(process) ? changeBy(words) : undefined;
    if (change !== undefined) lanes.set(process, change.lane);
    const mark = change?.mark ?? "●";
    const time = `${(atUs / US_PER_SECOND).toFixed(SECOND_DIGITS)} s`;
    const said = NAMED.test(process) ? `${process} ${words}` : words;
    return [row(time, (name) => (name === process ? mark : QUIET[lanes.get(name) ?? "runs"]), said)];
  });
  return [row("", shortOf, ""), ...events].join("\n");
};

/** s1 for signer-1 */
const shortOf = (name: string): string =>
  name.replace(NAMED, (_, kind: string, number: string) => `${kind[0]}${number}`);

/** The names of the processes of a cluster, in the order of their lanes. */
export const laneNames = (size: {
  readonly gateways: number;
  readonly orchestrators: number;
  readonly signers: number;
}): readonly string[] =>
  (["gateway", "orchestrator", "signer"] as const).flatMap((kind) =>
    Array.from({ length: size[`${kind}s`] }, (_, at) => `${kind}-${at + 1}`),
  );
