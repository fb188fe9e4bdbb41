import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ROOT } from "./source-files.ts";

let clone: string;
beforeEach(() => {
  clone = mkdtempSync(join(tmpdir(), "conclave-setup-"));
  mkdirSync(join(clone, "scripts"));
  copyFileSync(join(ROOT, "scripts", "setup.sh"), join(clone, "scripts", "setup.sh"));
});
afterEach(() => rmSync(clone, { recursive: true }));

/** Puts a pnpm into the clone that runs this line of a shell. @returns how to start a setup there */
const withPnpm = (line: string) => {
  const tools = join(clone, "fake");
  mkdirSync(tools);
  const script = `#!/bin/sh\nif [ "$1" = --version ]; then echo 10.0.0; exit; fi\n${line}\n`;
  writeFileSync(join(tools, "pnpm"), script, { mode: 0o755 });
  return { cwd: clone, env: { PATH: `${tools}:${dirname(process.execPath)}:/usr/bin:/bin` } };
};

/** Sets a clone up in which pnpm prints a text and fails. @returns what the person sees */
const setUp = (printed: string): string => {
  const options = withPnpm(`echo '${printed}'; exit 1`);
  return spawnSync("sh", ["scripts/setup.sh"], { ...options, encoding: "utf8" }).stderr;
};

it("a setup that a person interrupts says nothing more, and leaves no process", async () => {
  const options = withPnpm("sleep 60");
  const setup = spawn("sh", ["scripts/setup.sh"], {
    ...options,
    detached: true,
    stdio: ["ignore", "ignore", "pipe"],
  });
  await expect.poll(() => readdirSync(join(clone, ".conclave", "tools"))).toContain("dependencies.log");
  // as a terminal does at Ctrl-C
  process.kill(-(setup.pid ?? expect.fail("it runs")), "SIGINT");
  setup.stderr.resume();
  // the pipe closes when the last process ends that may write into it
  await once(setup, "close");
});

describe("a setup that fails", () => {
  it.each([
    ["ENOSPC: no space left on device, write", /setup: The disk is full: \S+ are free on \//],
    [
      "ERR_PNPM_EROFS EROFS: read-only file system",
      /setup: \S+ cannot be written: it is on a read-only file/,
    ],
    ["EACCES: permission denied, mkdir", /setup: Something in \S+ cannot be written by \w+\./],
    ["ERR_PNPM_META_FETCH_FAIL ENOTFOUND registry", /setup: The registry cannot be reached\./],
    ["something else", /setup: The dependencies could not be installed\./],
  ])("of %s says why, in one sentence with its remedy", (printed, expected) => {
    const seen = setUp(printed);
    expect(seen).toMatch(/^setup: installing the dependencies, /m);
    expect(seen).toContain(printed);
    expect(seen).toMatch(expected);
    expect(seen.trimEnd().split("\n").at(-1)).toMatch(/^ {7}\S.+/);
  });
});
