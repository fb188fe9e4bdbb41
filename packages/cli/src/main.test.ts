import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { repositoryRoot, stateLayout } from "@conclave/testbed/launch";
import { expect, it } from "vitest";

it("ends without a word when the reader of its output closes the pipe", async () => {
  const main = join(repositoryRoot(), "packages", "cli", "dist", "main.js");
  const child = spawn(process.execPath, [main, "status", "--name", "never-started"], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  child.stdout.destroy();
  const [words] = await Promise.all([text(child.stderr), once(child, "exit")]);
  expect(words).toBe("");
});

it("says the code of what it refuses beside the sentence, and ends with 1", async () => {
  const state = mkdtempSync(join(tmpdir(), "conclave-main-"));
  try {
    const { roster } = stateLayout(state);
    mkdirSync(dirname(roster), { recursive: true });
    writeFileSync(roster, "{}");
    const main = join(repositoryRoot(), "packages", "cli", "dist", "main.js");
    const words = ["roster", "change", "--state", state, "--cheated", "signer-3", "--evidence", roster];
    const child = spawn(process.execPath, [main, ...words], { stdio: ["ignore", "ignore", "pipe"] });
    const [said, [code]] = await Promise.all([text(child.stderr), once(child, "exit")]);
    expect([code, said]).toEqual([
      1,
      expect.stringMatching(/^\nconclave: [^\n]+ \(RosterInvalid\)\n[^\n]+\n$/),
    ]);
  } finally {
    rmSync(state, { recursive: true });
  }
});

it("says its version", async () => {
  const main = join(repositoryRoot(), "packages", "cli", "dist", "main.js");
  const child = spawn(process.execPath, [main, "--version"], { stdio: ["ignore", "pipe", "ignore"] });
  expect(await text(child.stdout)).toMatch(/^\d+\.\d+\.\d+\n$/);
});

const run = async (...words: readonly string[]) => {
  const main = join(repositoryRoot(), "packages", "cli", "dist", "main.js");
  const child = spawn(process.execPath, [main, ...words], { stdio: ["ignore", "pipe", "pipe"] });
  const [said, failed, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, "exit"),
  ]);
  return { code, said, failed };
};

it.each([
  ["an unknown command", ["nope"]],
  ["an unknown option", ["status", "--nope"]],
  ["an argument too many", ["status", "nope"]],
  ["an option without its value", ["logs", "--request"]],
  ["a text that is no id", ["logs", "--request", "xfr-nope"]],
])("refuses %s with 2 and a sentence", async (_, words) => {
  const { code, said, failed } = await run(...words);
  expect([code, said]).toEqual([2, ""]);
  expect(failed).toMatch(/^error: [^\n]+\n(\(Did you mean .+\)\n)?\(--help says what it takes\)\n$/);
});

it.each([
  ["nothing to do", ["snapshot"]],
  ["two things to do", ["snapshot", "first", "--list"]],
  ["--json without a list", ["snapshot", "first", "--json"]],
])("refuses a snapshot with %s with 2 and a sentence", async (_, words) => {
  const { code, failed } = await run(...words);
  expect(code).toBe(2);
  expect(failed).toMatch(/^[^\n]*snapshot takes a name|--json is for --list/m);
});

it("ends an error that nobody foresaw with a sentence, and its trace in a file of the cluster", async () => {
  const state = mkdtempSync(join(tmpdir(), "conclave-main-"));
  try {
    writeFileSync(stateLayout(state).logs, "no folder");
    const { code, failed } = await run("logs", "--state", state);
    expect(code).toBe(1);
    expect(failed).toMatch(/^\nconclave: [^\n]+\n[^\n]+\n$/);
    expect(failed).toContain(join(state, "traces"));
  } finally {
    rmSync(state, { recursive: true });
  }
});
