import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { LaunchError } from "@conclave/testbed/launch";
import { CommanderError } from "commander";
import { afterEach, beforeEach, expect, it } from "vitest";
import { failureOf } from "./failure-of.ts";
import { UsageError } from "./usage-error.ts";

let state: string;
beforeEach(() => {
  state = mkdtempSync(join(tmpdir(), "conclave-failure-"));
});
afterEach(() => {
  rmSync(state, { recursive: true });
});

const fileNamedIn = (text: string): string => /Its trace is in (.+)\.\n$/.exec(text)?.[1] ?? "none";

it("keeps the words of an error that was foreseen, and writes no trace", async () => {
  const { text, exitCode } = await failureOf(new LaunchError("no cluster", "Start one."), state);
  expect([text, exitCode]).toEqual(["\nconclave: no cluster\nStart one.\n", 1]);
  expect(readdirSync(state)).toEqual([]);
});

it("ends a command line that says nothing that could be done with 2", async () => {
  const { text, exitCode } = await failureOf(new UsageError("there is no kind of event like foo"), state);
  expect([text, exitCode]).toEqual([
    "conclave: there is no kind of event like foo\n(--help says what it takes)\n",
    2,
  ]);
  expect(await failureOf(new CommanderError(1, "commander.unknownOption", "said already"), state)).toEqual({
    text: "",
    exitCode: 2,
  });
  expect(await failureOf(new CommanderError(0, "commander.version", "0.1.0"), state)).toMatchObject({
    exitCode: 0,
  });
});

it("says an error that nobody foresaw in a sentence, and names the file with its trace", async () => {
  const cause = new Error("the first");
  const { text, exitCode } = await failureOf(new TypeError("one\n\u001b[2Jtwo", { cause }), state);
  expect(exitCode).toBe(1);
  expect(text).toMatch(/^\nconclave: an error that the command does not know: one\nRun .+\n$/);
  const file = fileNamedIn(text);
  expect(dirname(file)).toBe(join(state, "traces"));
  expect(readFileSync(file, "utf8")).toMatch(
    /TypeError: one[\s\S]+failure-of\.test\.ts[\s\S]+caused by\nError: the first/,
  );
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

it("INV-10 writes no members of an error, which may be what a caller sent", async () => {
  const error = Object.assign(new Error("refused"), { context: { token: "hidden" } });
  const { text } = await failureOf(error, state);
  expect(readFileSync(fileNamedIn(text), "utf8")).not.toContain("hidden");
});

it("takes the system's temporary folder where there is no cluster, or where nothing can be written", async () => {
  const written: string[] = [];
  const blocked = join(state, "blocked");
  mkdirSync(blocked);
  writeFileSync(join(blocked, "traces"), "a file");
  for (const folder of [undefined, join(state, "none"), blocked]) {
    written.push(fileNamedIn((await failureOf("a text", folder)).text));
  }
  expect(written.map(dirname)).toEqual([tmpdir(), tmpdir(), tmpdir()]);
  for (const file of written) {
    expect(readFileSync(file, "utf8")).toContain("a text");
    rmSync(file);
  }
});
