import { ERRORS, type ErrorCode } from "@conclave/custody";
import { loadRoster, type Roster } from "@conclave/platform/config";
import { LaunchError } from "@conclave/testbed/launch";
import { readEvidence } from "../evidence/evidence-file.ts";
import { inWords } from "../evidence/fault-words.ts";
import { verdictOverTime } from "../evidence/verdict-over-time.ts";
import { firstDefect } from "../first-defect.ts";
import { printable } from "../printable.ts";

/** The exit code of each outcome. */
const EXIT = { proven: 0, unproven: 1, unreadable: 2 } as const;

interface Found {
  readonly kind: keyof typeof EXIT;
  readonly text: string;
}

const unreadable = (code: ErrorCode, why: string, remedy: string = ERRORS[code].remedy): Found => ({
  kind: "unreadable",
  text: `conclave: ${printable(why)} (${code})\n${printable(remedy)}`,
});

const rosterAt = async (path: string): Promise<Roster | Found> => {
  try {
    return await loadRoster(path);
  } catch (cause) {
    const why = cause instanceof Error ? firstDefect(cause.message) : `${path} cannot be read`;
    return unreadable(
      "RosterInvalid",
      why,
      "Name the roster of the cluster with --roster; every process of it has one.",
    );
  }
};

/**
 * Checks an evidence file with only the roster: no running cluster, no database and no key.
 *
 * @param roster path of the roster of the accused's cluster
 */
export const checkEvidence = async (path: string, roster: string): Promise<Found> => {
  const read = await readEvidence(path);
  if (read.kind === "unreadable")
    return unreadable("EvidenceUnreadable", `${path}: ${read.why}`, read.remedy);
  const known = await rosterAt(roster);
  if ("kind" in known) return known;
  if (known.clusterId !== read.clusterId) {
    return unreadable(
      "EvidenceForeign",
      `${path}: it is of the cluster ${read.clusterId}, and the roster ${roster} is of ${known.clusterId}`,
      `Name the roster of ${read.clusterId} with --roster.`,
    );
  }
  const dated = verdictOverTime(read, known);
  return { kind: dated.verdict.kind, text: inWords(known, read, dated) };
};

/**
 * `conclave verify-evidence`: prints what a file proves.
 *
 * @param roster returns the path of the roster; may throw a LaunchError
 * @returns the exit code
 */
export const verifyEvidence = async (path: string, roster: () => string): Promise<number> => {
  const { kind, text } = await found(path, roster);
  const stream = kind === "unreadable" ? process.stderr : process.stdout;
  stream.write(`${text}\n`);
  return EXIT[kind];
};

const found = async (path: string, roster: () => string): Promise<Found> => {
  try {
    return await checkEvidence(path, roster());
  } catch (cause) {
    if (!(cause instanceof LaunchError)) throw cause;
    return unreadable("RosterInvalid", `the roster: ${cause.message}`, cause.remedy);
  }
};
