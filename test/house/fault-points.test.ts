import { FAULT_POINTS } from "@conclave/platform/fault-points";
import { describe, expect, it } from "vitest";
import { isTest, sourcesBelow, withoutComments } from "./source-files.ts";

/** Where the points are kept, and no code comes to one. */
const HOME = "packages/platform/src/fault-points/";

const code = sourcesBelow("packages", "services")
  .filter(({ path }) => !isTest(path) && !path.startsWith(HOME))
  .map(({ path, text }) => ({ path, lines: withoutComments(text).split("\n") }));

const calls = code.flatMap(({ path, lines }) =>
  lines.filter((line) => /\breach\(/.test(line)).map((line) => ({ path, line: line.trim() })),
);

describe("fault points", () => {
  it("are come to in statements of one line with the label FAULT only, which shipped bundles do not have", () => {
    const broken = calls
      .filter(({ line }) => !/^FAULT: (if \(.+\) )?reach\("[a-z.]+"\);$/.test(line))
      .map(({ path, line }) => `${path} has a fault point outside of a statement with the label: ${line}`);
    expect(broken).toEqual([]);
  });

  it("are the only statements with that label", () => {
    const labelled = code.flatMap(({ lines }) => lines.filter((line) => /\bFAULT:/.test(line)));
    expect(labelled).toHaveLength(calls.length);
  });

  it("all lie somewhere in the code of a service", () => {
    const placed = new Set(calls.map(({ line }) => /reach\("([a-z.]+)"\)/.exec(line)?.[1]));
    expect([...placed].sort()).toEqual(FAULT_POINTS.map(({ point }) => point).sort());
  });
});
