import { spawnSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { ROOT } from "./source-files.ts";

/** Commit subjects since then are checked; earlier ones were longer. */
const SINCE = "2026-11-29T01:00:00Z";
const SUBJECT_LENGTH_MAX = 72;

/** Commit subjects, newest first; empty without a Git history, as in an archive of the sources. */
const subjectsSince = (date: string): readonly string[] => {
  const { status, stdout } = spawnSync("git", ["log", `--since=${date}`, "--format=%s"], {
    cwd: ROOT,
    encoding: "utf8",
  });
  return status === 0 ? stdout.split("\n").filter((subject) => subject !== "") : [];
};

/** The fault of a commit subject; undefined if it is valid: `area: change`, or the merge of a branch. */
const whyNot = (subject: string): string | undefined => {
  if (subject.length > SUBJECT_LENGTH_MAX) return `has more than ${SUBJECT_LENGTH_MAX} characters`;
  return /^[a-z][a-z0-9, -]*: [a-z]|^Merge /.test(subject) ? undefined : "is not `area: change`";
};

describe("the subject of a commit", () => {
  it("names an area and a change, in 72 characters at most", () => {
    const refused = subjectsSince(SINCE).flatMap((subject) => {
      const reason = whyNot(subject);
      return reason === undefined ? [] : [`"${subject}" ${reason}`];
    });
    expect(refused).toEqual([]);
  });

  it.each([
    ["docs: claim no time that nobody measured", undefined],
    ["chains, ledgers: name quantities as nouns", undefined],
    ["Merge the restores branch", undefined],
    [`docs: ${"long ".repeat(20)}`, "has more than 72 characters"],
    ["Fix it", "is not `area: change`"],
    ["WIP", "is not `area: change`"],
  ])("is judged: %s", (subject, reason) => {
    expect(whyNot(subject)).toBe(reason);
  });
});
