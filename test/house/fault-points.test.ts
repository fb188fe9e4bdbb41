import { readFileSync } from "node:fs";
import { join } from "node:path";
import { FAULT_POINTS } from "@conclave/platform/fault-points";
import { describe, expect, it } from "vitest";
import { importsOf, isTest, ROOT, sourcesBelow, withoutComments } from "./source-files.ts";

/** The folder that defines the fault points; no code in it reaches one. */
const HOME = "packages/platform/src/fault-points/";
const LAUNCHER = "packages/testbed/src/parts/service.ts";

const code = sourcesBelow("packages", "services")
  .filter(({ path }) => !isTest(path) && !path.startsWith(HOME))
  .map(({ path, text }) => ({ path, lines: withoutComments(text).split("\n") }));

const calls = code.flatMap(({ path, lines }) =>
  lines.filter((line) => /\breach\(/.test(line)).map((line) => ({ path, line: line.trim() })),
);

/** The code that makes a process fail on order: the services' second mains, and the faults that those install. */
const ON_ORDER = ["services/*/src/testing", "packages/platform/src/testing/faults"];

describe("the code that fails on order", () => {
  it("is left out of every image, where tsc would compile it beside the bundles", () => {
    const left = readFileSync(join(ROOT, ".dockerignore"), "utf8").split("\n");
    expect(ON_ORDER.filter((path) => !left.includes(path))).toEqual([]);
  });

  it("is in these folders alone", () => {
    const makers = sourcesBelow("packages", "services").filter(
      ({ path, text }) =>
        !path.startsWith(HOME) &&
        /CONCLAVE_FAULTS|hearFaultPoints|followFaultOrders/.test(withoutComments(text)),
    );
    const elsewhere = makers.filter(({ path }) => {
      const isMain = /^services\/[a-z]+\/src\/testing\//.test(path);
      // the launcher of test clusters passes the folder of the orders
      return !isMain && !path.startsWith("packages/platform/src/testing/faults/") && path !== LAUNCHER;
    });
    expect(elsewhere.map(({ path }) => path)).toEqual([]);
  });

  it("is needed by nothing that an image compiles", () => {
    const needing = sourcesBelow("packages", "services")
      .filter(({ path }) => !/^services\/[a-z]+\/src\/testing\//.test(path))
      .filter(({ path }) => !path.startsWith("packages/platform/src/testing/faults/"))
      .filter((file) => importsOf(file).some((specifier) => /\/testing\/faults(\/|$)/.test(specifier)));
    expect(needing.map(({ path }) => path)).toEqual([]);
  });
});

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

  it("are all reached somewhere in a service's code", () => {
    const placed = new Set(calls.map(({ line }) => /reach\("([a-z.]+)"\)/.exec(line)?.[1]));
    expect([...placed].sort()).toEqual(FAULT_POINTS.map(({ point }) => point).sort());
  });
});
