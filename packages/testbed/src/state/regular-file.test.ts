import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { LaunchError } from "../launch-error.ts";
import { BYTES_MAX, regularText } from "./regular-file.ts";

let folder: string;
let file: string;
let writer: ChildProcess | undefined;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "conclave-regular-"));
  file = join(folder, "tls.crt");
});
afterEach(() => {
  writer?.kill();
});

it("a file is read, and one that is not there is undefined", () => {
  writeFileSync(file, "certificate");
  expect(regularText(file)).toBe("certificate");
  expect(regularText(join(folder, "tls.key"))).toBeUndefined();
  expect(regularText(join(file, "tls.key"))).toBeUndefined();
});

it.each<readonly [string, () => unknown]>([
  ["a link to a file", () => [writeFileSync(join(folder, "other"), "x"), symlinkSync("other", file)]],
  ["a link to nothing", () => symlinkSync("nowhere", file)],
  ["a folder", () => mkdirSync(file)],
  [
    "a socket",
    () =>
      new Promise((listening) =>
        createServer()
          .listen(file, () => listening(undefined))
          .unref(),
      ),
  ],
  [
    "a pipe, into which somebody writes",
    () => {
      execFileSync("mkfifo", [file]);
      writer = spawn("sh", ["-c", 'printf x > "$1"', "sh", file]); // ends a reader that waits for the pipe
    },
  ],
])("%s is refused", async (_, make) => {
  await make();
  expect(() => regularText(file)).toThrow(LaunchError);
  expect(() => regularText(file)).toThrow("tls.crt is no regular file");
});

it("text longer than any certificate is refused", () => {
  writeFileSync(file, "x".repeat(BYTES_MAX));
  expect(regularText(file)).toHaveLength(BYTES_MAX);
  writeFileSync(file, "x".repeat(BYTES_MAX + 1));
  expect(() => regularText(file)).toThrow(`more than ${BYTES_MAX} bytes`);
});
