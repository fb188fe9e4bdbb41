import type { Ran } from "./shell.ts";
import type { Step } from "./steps.ts";

/** Lines of a long output that the document keeps at its start and at its end. */
const KEPT = 30;

/** Leaves out lines that differ from the line before in nothing but their seconds. */
const withoutTicks = (lines: readonly string[]): readonly string[] => {
  const subject = (line: string | undefined): string | undefined =>
    line?.replace(/,? (for |after )?\d+ s$/, "");
  return lines.filter((line, at) => line === "" || subject(line) !== subject(lines[at - 1]));
};

const shortened = (lines: readonly string[]): readonly string[] =>
  lines.length <= 2 * KEPT + 1 ? lines : [...lines.slice(0, KEPT), "…", ...lines.slice(-KEPT)];

/**
 * The document of a recorded session.
 * @param machine the recording's machine, in a few words
 * @param folder the clone's path, which the document shows as /srv/conclave
 */
export const sessionDocument = (
  recorded: readonly { readonly step: Step; readonly ran: Ran }[],
  { machine, folder }: { readonly machine: string; readonly folder: string },
): string => {
  const shown = (text: string): string => text.replaceAll(folder, "/srv/conclave");
  return [
    "# The first ten minutes",
    "",
    `\`make first-steps\` gave these commands in a new clone, checked each answer, and wrote this page: on ${machine}. Lines that repeat with another count of seconds are left out.`,
    "",
    ...recorded.flatMap(({ step, ran }) => [
      ...(step.why === "" ? [] : [step.why, ""]),
      "```",
      `$ ${step.command}`,
      ...shortened(withoutTicks(shown(ran.output).trimEnd().split("\n"))),
      "```",
      "",
      `${ran.seconds.toFixed(1)} s${ran.code === 0 ? "" : `, exit code ${ran.code}`}.`,
      "",
    ]),
  ]
    .join("\n")
    .trimEnd()
    .concat("\n");
};
