import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { ProcessTable, stateLayout } from "@conclave/testbed/launch";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { clusterFolder } from "../cluster-folder.ts";
import {
  COMMAND_LINES,
  expectFailure,
  expectMisuse,
  fittingLine,
  incompleteLines,
  LINES_ABOUT_CLUSTERS,
  wrongLines,
} from "../testing/command-lines.ts";

const NEVER_STARTED = "never-started";
/** The answers of commands about files alone, and of one that must not touch a cluster that starts. */
const WAITS: Readonly<Record<string, RegExp>> = {
  restore: /has no snapshot first/,
  snapshot: /^\nconclave: the cluster \S+ runs\n/,
  "renew-identity": /there is no cluster/,
  "renew-certificates": /there is no cluster/,
};

describe.each(COMMAND_LINES)("conclave $title", (line) => {
  it("refuses a line that says too little or too much with 2, in a sentence", async () => {
    for (const words of incompleteLines(line, {})) await expectMisuse(words);
  });

  it("refuses each value that is none of its kind with 2, in a sentence", async () => {
    for (const words of wrongLines(line, {})) await expectMisuse(words);
  });
});

describe.each(LINES_ABOUT_CLUSTERS)("conclave $title, without a cluster that could do it,", (line) => {
  let state: string;
  beforeEach(() => {
    state = mkdtempSync(join(tmpdir(), "conclave-command-"));
  });
  afterEach(() => rmSync(state, { recursive: true, force: true }));

  const filesOf = () => readdirSync(state, { recursive: true }).sort();
  const writeDescription = (text: string): void => {
    const { description } = stateLayout(state);
    mkdirSync(dirname(description), { recursive: true });
    writeFileSync(description, text);
  };

  it("says so where none was started, and makes none", async () => {
    await expectFailure(fittingLine(line, { name: NEVER_STARTED }));
    expect(existsSync(clusterFolder(NEVER_STARTED))).toBe(false);
  });

  it("says so where its folder is damaged, and leaves it as it is", async () => {
    writeDescription("no description");
    const before = filesOf();
    await expectFailure(fittingLine(line, { state }));
    expect(filesOf()).toEqual(before);
  });

  it("says so while it starts for the first time, and leaves it as it is", async () => {
    const table = new ProcessTable(stateLayout(state).run);
    await table.acquire();
    const before = filesOf();
    expect(await expectFailure(fittingLine(line, { state }))).toMatch(
      WAITS[line.title] ?? /is still starting/,
    );
    expect(filesOf()).toEqual(before);
    table.release();
  });
});
