import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { saidTo } from "../../testing/said.ts";
import { logs } from "./logs.ts";

let state: string;
const said = saidTo("stdout");
let stopping: AbortController;
beforeEach(() => {
  stopping = new AbortController();
  state = mkdtempSync(join(tmpdir(), "conclave-logs-"));
  mkdirSync(join(state, "logs"));
});
afterEach(() => {
  rmSync(state, { recursive: true });
});

/** For a test without --follow. */
const never = () => expect.fail("it waits for a stop");
const log = (process: string): string => join(state, "logs", `${process}.log`);
const line = (time: number, msg: string): string => `${JSON.stringify({ level: 30, time, msg })}\n`;
const asked = { processes: [], lines: 20, follow: false, json: false };
const wordsOf = (text: string) => text.match(/one|two|three|four|five/g);

it("shows the last lines of all processes by time; a line without a time stays behind the line before it", async () => {
  writeFileSync(log("gateway"), line(1, "zero") + line(10, "one") + line(40, "four"));
  writeFileSync(log("signer-1"), `${line(20, "two")}three, by another\n${line(50, "five")}`);
  await logs(state, { ...asked, lines: 3 }, never);
  expect(wordsOf(said())).toEqual(["one", "two", "three", "four", "five"]);
  expect(said()).toMatch(/^gateway {3}\[.*INFO: zero/);
});

it("shows lines as they were written, of one process", async () => {
  writeFileSync(log("gateway"), line(1, "one"));
  writeFileSync(log("nats"), "two\n");
  await logs(state, { ...asked, processes: ["gateway"], json: true }, never);
  expect(said()).toBe(line(1, "one"));
});

it("follows added lines once they are complete, and a log that starts again", async () => {
  writeFileSync(log("gateway"), line(1, "one"));
  const following = logs(state, { ...asked, follow: true }, () => stopping.signal);
  appendFileSync(log("gateway"), line(2, "two").slice(0, 10));
  appendFileSync(log("gateway"), line(2, "two").slice(10));
  await expect.poll(() => wordsOf(said())).toEqual(["one", "two"]);
  writeFileSync(log("gateway"), line(3, "three"));
  await expect.poll(() => wordsOf(said())).toEqual(["one", "two", "three"]);
  stopping.abort();
  await following;
});

it("says which processes there are", async () => {
  await expect(logs(state, asked, never)).rejects.toThrow("there are no logs");
  writeFileSync(log("gateway"), "");
  await expect(logs(state, { ...asked, processes: ["gatway"] }, never)).rejects.toMatchObject({
    message: "no process is called gatway",
    remedy: "There are gateway.",
  });
});
