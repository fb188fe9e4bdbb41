import { LaunchError } from "@conclave/testbed/launch";
import { CommanderError } from "commander";
import { launchErrorOf } from "../launch-error-of.ts";
import { printable } from "../printable.ts";
import { UsageError } from "./usage-error.ts";
import { writeTrace } from "./write-trace.ts";

const FAILED = 1;
const MISUSED = 2;

/** How a command ends that did not do its work. */
export interface Failure {
  /** printed to stderr; empty when it is printed already */
  readonly text: string;
  readonly exitCode: number;
}

/**
 * Says what an error means to the person at the terminal, in a sentence and a remedy. Of an error that is none of the foreseen ones the
 * trace goes to a file that the remedy names.
 * @param state the folder of the cluster that the command works on, if it works on one
 */
export const failureOf = async (cause: unknown, state: string | undefined): Promise<Failure> => {
  // commander has said what it refuses, or printed the help that was asked for
  if (cause instanceof CommanderError) return { text: "", exitCode: cause.exitCode === 0 ? 0 : MISUSED };
  if (cause instanceof UsageError) {
    return { text: `conclave: ${cause.message}\n(--help says what it takes)\n`, exitCode: MISUSED };
  }
  const { message, remedy, code } = await launchErrorOf(cause).catch(() => unforeseen(cause, state));
  const named = code === undefined ? "" : ` (${code})`;
  return { text: `\nconclave: ${message}${named}\n${remedy}\n`, exitCode: FAILED };
};

const unforeseen = (cause: unknown, state: string | undefined): LaunchError => {
  const [sentence = ""] = (cause instanceof Error ? cause.message : String(cause)).split("\n");
  const file = writeTrace(cause, state);
  const kept = file === undefined ? "Its trace could not be written." : `Its trace is in ${file}.`;
  return new LaunchError(
    `an error that the command does not know: ${printable(sentence.trim())}`,
    `Run the command again, after \`conclave status\` has shown what runs; if it fails again, report it. ${kept}`,
  );
};
