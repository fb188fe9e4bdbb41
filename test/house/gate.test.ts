import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
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
});
