import { existsSync, readFileSync } from "node:fs";
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
