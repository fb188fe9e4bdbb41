import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { repositoryRoot } from "@conclave/testbed/launch";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

const SCRIPT = join(repositoryRoot(), "deploy", "health.sh");
const KILL_THE_CHECK = "kill -9 $PPID";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "conclave-health-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Runs one check with `sleep` replaced by the given script. @returns its steps in order, and whether it succeeded */
const check = (command: "true" | "false", sleep = "") => {
  const did = join(folder, "did");
  const stand = join(folder, "sleep");
  rmSync(did, { force: true });
  writeFileSync(stand, `#!/bin/sh\necho slept $1 >> ${did}\n${sleep}\n`);
  chmodSync(stand, 0o755);
  const env = { PATH: `${folder}:${process.env["PATH"]}`, TMPDIR: folder };
  const { status } = spawnSync("sh", [SCRIPT, "sh", "-c", `echo asked >> ${did}; ${command}`], { env });
  const steps = existsSync(did) ? readFileSync(did, "utf8").trim().split("\n") : [];
  return { steps, isWell: status === 0 };
};

describe("a health check of a container", () => {
  it("asks at once until it is well, and every three minutes from then on", () => {
    expect(check("false")).toEqual({ steps: ["asked"], isWell: false });
    expect(check("true")).toEqual({ steps: ["asked"], isWell: true });
    expect(check("true")).toEqual({ steps: ["slept 180", "asked"], isWell: true });
    expect(check("false")).toEqual({ steps: ["slept 180", "asked"], isWell: false });
    expect(check("false")).toEqual({ steps: ["asked"], isWell: false });
  });

  it("asks at once after a check that ended in its sleep, as when the container was paused", () => {
    check("true");
    expect(check("true", KILL_THE_CHECK)).toEqual({ steps: ["slept 180"], isWell: false });
    expect(check("true")).toEqual({ steps: ["asked"], isWell: true });
  });
});
