import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { saidTo } from "../../testing/said.ts";
import { requestLogs } from "./request-logs.ts";

const ID = "xfr-5n27h-dxfqg-o8u7tpwvrgnu3e";
const SESSION = "ab".repeat(32);

let state: string;
const said = saidTo("stdout");
const noted = saidTo("stderr");
beforeEach(() => {
  state = mkdtempSync(join(tmpdir(), "conclave-request-logs-"));
  mkdirSync(join(state, "logs"));
});
afterEach(() => {
  rmSync(state, { recursive: true });
});

const never = () => expect.fail("it waits for a stop");
const log = (process: string): string => join(state, "logs", `${process}.log`);
const line = (time: number, msg: string, more: object = {}): string =>
  `${JSON.stringify({ level: 30, time, ...more, msg })}\n`;
const asked = { request: ID, processes: [], lines: 1_000, follow: false, json: false };
const wordsOf = (text: string) => text.match(/one|two|three|four|five|other/g);
const ofRequest = { requestId: ID };

it("shows the lines that carry the id, of all processes by time, from whole logs", async () => {
  const others = Array.from({ length: 5_000 }, (_, at) => line(at + 2, "other")).join("");
  writeFileSync(log("gateway"), line(1, "one", ofRequest) + others + line(9_003, "three", ofRequest));
  writeFileSync(log("signer-1"), `${line(9_002, "two", ofRequest)}${line(9_005, "four", ofRequest)}`);
  await requestLogs(state, asked, never);
  expect(wordsOf(said())).toEqual(["one", "two", "three", "four"]);
  expect(said()).toMatch(/^gateway {3}\[.*INFO: one/);
});

it("takes in lines that name only a session of the request, wherever the session is linked to it", async () => {
  writeFileSync(log("orchestrator"), line(2, "two", { ...ofRequest, session: SESSION }));
  writeFileSync(log("aaa"), line(1, "one", { session: SESSION }));
  writeFileSync(
    log("signer-1"),
    line(3, "three", { session: SESSION }) + line(4, "other", { session: "cd" }),
  );
  await requestLogs(state, asked, never);
  expect(wordsOf(said())).toEqual(["one", "two", "three"]);
});

it("passes over ids that begin or end with this one, and lines that are too long to be read", async () => {
  writeFileSync(
    log("gateway"),
    line(1, "other", { requestId: `${ID}fz` }) +
      line(2, "other", { requestId: `a${ID}` }) +
      line(3, "other", { ...ofRequest, long: "x".repeat(600_000) }) +
      line(4, "one", ofRequest),
  );
  await requestLogs(state, asked, never);
  expect(wordsOf(said())).toEqual(["one"]);
});

it("shows the last lines where there are more, and says how many it leaves out", async () => {
  writeFileSync(log("gateway"), line(1, "one", ofRequest) + line(4, "four", ofRequest));
  writeFileSync(log("signer-1"), line(2, "two", ofRequest) + line(3, "three", ofRequest));
  await requestLogs(state, { ...asked, lines: 2 }, never);
  expect(wordsOf(said())).toEqual(["three", "four"]);
  expect(noted()).toMatch(/^2 earlier lines are left out/);
});

it("shows lines of one process, as they were written", async () => {
  const one = line(1, "one", { session: SESSION });
  writeFileSync(log("signer-1"), one);
  writeFileSync(log("gateway"), line(2, "two", { ...ofRequest, session: SESSION }));
  await requestLogs(state, { ...asked, processes: ["signer-1"], json: true }, never);
  expect(said()).toBe(one);
});

it("follows new lines, of a process that starts later and of a log that starts again too", async () => {
  writeFileSync(log("gateway"), line(1, "other"));
  const stopping = new AbortController();
  const following = requestLogs(state, { ...asked, follow: true }, () => stopping.signal);
  await expect.poll(noted).toContain(`no line names ${ID} yet`);
  appendFileSync(log("gateway"), line(2, "one", { ...ofRequest, session: SESSION }).slice(0, 20));
  appendFileSync(log("gateway"), line(2, "one", { ...ofRequest, session: SESSION }).slice(20));
  await expect.poll(() => wordsOf(said())).toEqual(["one"]);
  writeFileSync(log("signer-1"), line(3, "two", { session: SESSION }));
  await expect.poll(() => wordsOf(said())).toEqual(["one", "two"]);
  writeFileSync(log("gateway"), line(4, "three", ofRequest));
  await expect.poll(() => wordsOf(said())).toEqual(["one", "two", "three"]);
  stopping.abort();
  await following;
});

it("says in a sentence that no line names the id", async () => {
  writeFileSync(log("gateway"), line(1, "other"));
  await expect(requestLogs(state, asked, never)).rejects.toMatchObject({
    message: `no log line of this cluster names ${ID}`,
  });
});
