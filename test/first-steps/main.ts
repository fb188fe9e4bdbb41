// make first-steps: gives the commands of the first ten minutes in a new clone of what is committed here, checks each answer, and
// writes docs/first-steps.md. JSON=file also writes the time from the clone to the first confirmed transfer.
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { sessionDocument } from "./document.ts";
import { type Ran, Shell } from "./shell.ts";
import { STEPS, type Step } from "./steps.ts";

const root = join(import.meta.dirname, "..", "..");
const parent = mkdtempSync(join(tmpdir(), "conclave-first-steps-"));
const folder = join(parent, "conclave");
execFileSync("git", ["clone", "--quiet", root, folder]);

const recorded: { readonly step: Step; readonly ran: Ran }[] = [];
const wrong: string[] = [];
{
  // a person's shell has no settings of make's
  const { MAKEFLAGS: _flags, MAKELEVEL: _level, MFLAGS: _more, ...env } = process.env;
  await using shell = new Shell(folder, env);
  try {
    for (const step of STEPS) {
      process.stderr.write(`$ ${step.command}\n`);
      const ran = await shell.run(step.command);
      recorded.push({ step, ran });
      if (ran.code !== (step.code ?? 0) || !step.shows.test(ran.output)) {
        wrong.push(`${step.command} ended with ${ran.code} and printed\n${ran.output}`);
        break;
      }
    }
  } finally {
    await shell.run("make down");
  }
}
rmSync(parent, { recursive: true, force: true });
if (wrong.length > 0) {
  process.stderr.write(`first-steps: not as expected: ${wrong.join("\n")}\n`);
  process.exit(1);
}
const machine = `${cpus().length} processors (${cpus()[0]?.model.trim() ?? "unknown"}), Node ${process.versions.node}`;
writeFileSync(join(root, "docs", "first-steps.md"), sessionDocument(recorded, { machine, folder }));
const [up, tried] = recorded.map(({ ran }) => ran.seconds);
const value = Number(((up ?? 0) + (tried ?? 0)).toFixed(1));
process.stdout.write(`from the clone to the first confirmed transfer: ${value} s\n`);
const json = process.env["JSON"];
if (json)
  writeFileSync(
    json,
    `${JSON.stringify([{ name: "from the clone to the first confirmed transfer", unit: "s", value }])}\n`,
  );
