import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { LONG_TESTS } from "../long-tests.ts";
import { pathsBelow, ROOT } from "./source-files.ts";

const read = (file: string): string => readFileSync(join(ROOT, file), "utf8");

/** The projects that vitest.config.ts declares. */
const declared = [...read("vitest.config.ts").matchAll(/\bproject\(\s*"([a-z-]+)"/g)].map(
  ([, name = ""]) => name,
);
/** The recipe of `make test`, which is the gate. */
const [gate = ""] = /^test: setup[^\n]*\n(?:\t[^\n]*\n)+/m.exec(read("Makefile")) ?? [];
const inGate = [...gate.matchAll(/--project (\S+)/g)].map(([, name = ""]) => name);

/** The last lines of a run with this report of vitest. */
const summaryOf = (report: object | undefined, code: string) => {
  const folder = mkdtempSync(join(tmpdir(), "conclave-summary-"));
  const file = join(folder, "report.json");
  if (report !== undefined) writeFileSync(file, JSON.stringify(report));
  const words = ["--import", import.meta.resolve("tsx"), ".ci/summary.ts", file, code];
  const { status, stdout } = spawnSync(process.execPath, words, { cwd: ROOT, encoding: "utf8" });
  rmSync(folder, { recursive: true });
  return { status, lines: stdout.trim().split("\n") };
};
const testFile = (name: string, seconds: number, results: readonly object[], status = "failed") => ({
  name: join(ROOT, name),
  startTime: 0,
  endTime: seconds * 1_000,
  status,
  message: "Cannot find module\n  at a line",
  assertionResults: results,
});

describe("the end of a run", () => {
  const passed = { status: "passed", fullName: "holds" };
  const failed = { status: "failed", fullName: "fails", failureMessages: ["expected 1\n  at a line"] };

  it("names the files that took longest and each failure, and counts", () => {
    const testResults = [
      testFile("a.test.ts", 1, [passed], "passed"),
      testFile("b.test.ts", 30, [passed, failed]),
      testFile("c.test.ts", 2, []),
    ];
    expect(summaryOf({ numPassedTests: 2, numFailedTests: 1, testResults }, "1")).toEqual({
      status: 1,
      lines: [
        "took 30 s: b.test.ts",
        "took 2 s: c.test.ts",
        "took 1 s: a.test.ts",
        "failed: b.test.ts: fails: expected 1",
        "failed: c.test.ts: Cannot find module",
        "2 passed, 2 failed",
      ],
    });
  });

  it("is a success where all passed, and vitest says so too", () => {
    const report = { numPassedTests: 1, numFailedTests: 0, testResults: [] };
    expect(summaryOf(report, "0")).toEqual({ status: 0, lines: ["1 passed, 0 failed"] });
    expect(summaryOf(report, "1")).toEqual({ status: 1, lines: ["1 passed, 1 failed"] });
    expect(summaryOf(undefined, "0")).toEqual({ status: 1, lines: ["0 passed, 1 failed"] });
  });
});

describe("the gate", () => {
  it("names the projects that it runs: vitest runs what any filter takes, so two exclusions exclude nothing", () => {
    expect(inGate).toEqual(["packages", "integration"]);
    expect(inGate.filter((name) => !declared.includes(name))).toEqual([]);
  });

  it("leaves no project out that no other command runs", () => {
    const sources = pathsBelow("test").filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts"));
    const commands = [read("Makefile"), ...sources.map(read)].join("\n");
    const isRun = (name: string): boolean => new RegExp(`--project(?: |", ")${name}\\b`).test(commands);
    expect(declared.length).toBeGreaterThan(3);
    expect(declared.filter((name) => !isRun(name))).toEqual([]);
  });

  it("leaves out long tests that exist, each for shorter ones that it runs", () => {
    const long = LONG_TESTS.map(({ file }) => file);
    const shorter = LONG_TESTS.flatMap(({ inGate: files }) => files);
    expect(new Set(long).size).toBe(long.length);
    expect([...long, ...shorter].filter((file) => !existsSync(join(ROOT, file)))).toEqual([]);
    expect(shorter.filter((file) => long.includes(file))).toEqual([]);
    expect(LONG_TESTS.filter(({ inGate: files }) => files.length === 0)).toEqual([]);
  });
});
