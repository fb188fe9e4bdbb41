import { spawnSync } from "node:child_process";
import { dirname, join } from "node:path";
import { repositoryRoot } from "@conclave/testbed/launch";
import { expect, it } from "vitest";

const BIN = join(repositoryRoot(), "bin");

/** Runs lines in a bash that finds `conclave` and has no settings of a person. */
const bash = (...lines: readonly string[]) => {
  const env = { PATH: `${BIN}:${dirname(process.execPath)}:/usr/bin:/bin`, HOME: "/nowhere" };
  const given = ["--noprofile", "--norc", "-c", lines.join("\n")];
  const { status, stdout, stderr } = spawnSync("bash", given, { env, encoding: "utf8" });
  return { status, stdout, stderr };
};

it("bash takes the script of completion twice without a word, and registers it once", () => {
  const script = 'script=$(conclave completion bash); eval "$script"; eval "$script"';
  expect(bash("set -e", script, "complete -p | grep -c conclave")).toEqual({
    status: 0,
    stdout: "1\n",
    stderr: "",
  });
});

it("bash completes the words of conclave without the functions of bash-completion", () => {
  const complete = [
    'eval "$(conclave completion bash)"',
    "COMP_WORDS=(conclave rost) COMP_CWORD=1 COMP_LINE='conclave rost' COMP_POINT=13",
    `compopt() { :; }; __conclave_complete; echo "\${COMPREPLY[@]}"`,
  ];
  expect(bash(...complete)).toMatchObject({
    status: 0,
    stdout: expect.stringMatching(/^roster\b/),
    stderr: "",
  });
});
