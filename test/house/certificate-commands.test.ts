import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { provisionFiles } from "@conclave/testbed";
import { beforeEach, describe, expect, it } from "vitest";
import { ROOT } from "./source-files.ts";

const [, about = ""] =
  /## Certificates\n([\s\S]*?)\n## Upgrades/.exec(
    readFileSync(join(ROOT, "deploy", "day-to-day.md"), "utf8"),
  ) ?? [];
const blocks = about.split("```").filter((_, at) => at % 2 === 1);

const blockWith = (...texts: readonly string[]): string => {
  const [found, ...others] = blocks.filter((block) => texts.every((text) => block.includes(text)));
  if (found === undefined || others.length > 0) throw new Error(`no one block with ${texts.join(", ")}`);
  return found;
};
const lineWith = (text: string): string => {
  const [found, ...others] = blocks
    .flatMap((block) => block.split("\n"))
    .filter((line) => line.includes(text));
  if (found === undefined || others.length > 0) throw new Error(`no one line with ${text}`);
  return found;
};

let folder: string;
let state: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "conclave-pasted-"));
  state = join(folder, "state");
});

/** Runs the commands in a shell whose `docker` is the given script. @returns the shell's output */
const paste = (commands: string, docker: string): string => {
  writeFileSync(join(folder, "docker"), `#!/bin/sh\n${docker}\n`, { mode: 0o755 });
  const path = `${folder}:${dirname(process.execPath)}:/usr/bin:/bin`;
  return spawnSync("sh", ["-c", commands], { cwd: folder, env: { PATH: path }, encoding: "utf8" }).stdout;
};

describe("the commands that renew certificates, pasted as deploy/day-to-day.md has them,", () => {
  const halves = (["--prepare", "--switch"] as const).map(
    (half) => [half, blockWith(`--state /state ${half}`, "for member in")] as const,
  );

  const calls = (block: string, failing: string): readonly string[] => {
    const [log, script] = [join(folder, "log"), `case "$*" in "compose ${failing}") exit 1;; esac`];
    paste(block, `echo "$*" >> ${log}\n${script}`);
    return readFileSync(log, "utf8").trim().split("\n");
  };
  const restartsIn = (made: readonly string[]) => made.filter((call) => call.startsWith("compose restart"));

  it.each(halves)("are one block with %s, which restarts all", (half, block) => {
    const made = calls(block, "nothing");
    const others = { "--prepare": "--switch", "--switch": "--prepare" };
    expect(made.some((call) => call.endsWith(others[half]))).toBe(false);
    expect(restartsIn(made)).toHaveLength(6);
    expect(made.filter((call) => call === "compose up --detach --wait")).toHaveLength(6);
  });

  it.each(halves)("restart nobody where %s fails", (half, block) => {
    const made = calls(block, `run --rm provision renew-certificates --state /state ${half}`);
    expect(restartsIn(made)).toEqual([]);
  });

  it.each(halves)("after %s restart nobody else where one does not come up", (_, block) => {
    expect(restartsIn(calls(block, "up --detach --wait"))).toEqual(["compose restart orchestrator"]);
    expect(restartsIn(calls(block, "restart orchestrator")).slice(1)).toEqual([
      "compose restart orchestrator",
    ]);
  });
});

describe("the commands that put a file into place, pasted as deploy/day-to-day.md has them,", () => {
  /** A `docker` that runs the container's shell command here, with the folder of state in place of `/state`. */
  const inState = () => `for last; do :; done; exec sh -c "$(printf %s "$last" | sed "s#/state#${state}#g")"`;

  it.each([
    ["signer-2/tls.crt", "signer-2.crt"],
    ["signer-2/tls.next.crt", "tls.next.crt"],
    ["cluster/ca.crt", "ca.crt"],
  ])("write %s as it was sent, and leave the one of before where nothing was", (name, sent) => {
    const [line, file] = [lineWith(`< ${sent}`), join(state, name)];
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, "before");
    writeFileSync(join(folder, sent), "");
    paste(line, inState());
    expect(readFileSync(file, "utf8")).toBe("before");
    writeFileSync(join(folder, sent), "sent");
    paste(line, inState());
    expect(readFileSync(file, "utf8")).toBe("sent");
    expect(existsSync(join(dirname(file), "new"))).toBe(false);
  });
});

it("the dates of all members are shown by the command that deploy/day-to-day.md has", async () => {
  await provisionFiles({ state, signers: 2, threshold: 2, rpcUrl: "http://anvil:8545", signerPort: 7000 });
  const docker = `for last; do :; done; exec node -e "$(printf %s "$last" | sed "s#/state#${state}#g")"`;
  const shown = paste(blockWith("validTo"), docker).trim().split("\n");
  const line = (member: string) =>
    expect.stringMatching(new RegExp(`^${member} \\w+ +\\d+ .* GMT [0-9a-f]{64}$`));
  expect(shown).toEqual(["orchestrator", "signer-1", "signer-2"].map(line));
});
