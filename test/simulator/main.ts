import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ChaosPlan, parsePlan, QUIET_PLAN } from "@conclave/chaos";
import { drawWorld, failureText, runCampaign, whyNotRun } from "@conclave/simulator";

/**
 * `make simulate`: runs simulated clusters, each from one number, and checks the invariants of each. PLAN=file runs that plan in each
 * world; otherwise each world draws its faults. SEED=n is the first world's number (by default from the clock), WORLDS=n how many
 * there are, MINUTES=n how long worlds are begun; SIGNERS and THRESHOLD are of the drawn clusters.
 */

const SECONDS = 60;
const MS = 1_000;

const say = (line: string): void => void process.stdout.write(`${line}\n`);
const usage = (line: string): never => {
  say(line);
  process.exit(2);
};

const numberOf = (name: string, otherwise: number): number => {
  const text = process.env[name];
  if (text === undefined || text === "") return otherwise;
  const value = Number(text);
  return Number.isSafeInteger(value) && value > 0
    ? value
    : usage(`${name} is a whole number above 0, not "${text}".`);
};

const readPlan = (file: string): ChaosPlan => {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch {
    return usage(
      `PLAN=${file} cannot be read: name a file with a plan, such as test/chaos/plans/01-a-signer-dies.plan.`,
    );
  }
  const parsed = parsePlan(text);
  if (!parsed.ok) {
    for (const { line, message, remedy } of parsed.problems) say(`${file}:${line}: ${message}. ${remedy}`);
    process.exit(2);
  }
  const whyNot = whyNotRun(parsed.plan);
  return whyNot === undefined ? parsed.plan : usage(`${file}: ${whyNot}`);
};

const size = {
  signers: numberOf("SIGNERS", QUIET_PLAN.signers),
  threshold: numberOf("THRESHOLD", QUIET_PLAN.threshold),
};
const sized = parsePlan(`signers ${size.signers}\nthreshold ${size.threshold}`);
if (!sized.ok)
  usage(sized.problems.map(({ message, remedy }) => `SIGNERS, THRESHOLD: ${message}. ${remedy}`).join("\n"));
const file = process.env["PLAN"] ?? "";
const given = file === "" ? undefined : readPlan(file);
const firstSeed = numberOf("SEED", 1 + (Date.now() % 1_000_000));
const worlds = numberOf("WORLDS", given === undefined ? 0 : 1);
const untilMs = performance.now() + numberOf("MINUTES", 1) * SECONDS * MS;

const beganMs = performance.now();
const sum = await runCampaign({
  firstSeed,
  goesOn: (count) => (worlds > 0 ? count < worlds : count === 0 || performance.now() < untilMs),
  planOf: (seed) => given ?? drawWorld(seed, size),
  ended: (seed, { transfers, steps, lastedMs, outcomes, findings }) => {
    const seconds = (lastedMs / MS).toFixed(1);
    const found = findings.length === 0 ? "no finding" : `${findings.length} findings`;
    say(
      `world ${seed}: ${transfers} transfers, ${outcomes.length} faults, ${steps} steps, ${seconds} virtual s, ${found}`,
    );
    for (const { text, trouble } of outcomes)
      if (trouble !== undefined) say(`  not carried out: ${text}: ${trouble}`);
    for (const { invariant, words } of findings) say(`  ${invariant}: ${words}`);
  },
});

const minutes = (performance.now() - beganMs) / MS / SECONDS;
const perMinute = (count: number): string => (count / minutes).toFixed(0);
say("");
say(`| worlds | transfers | faults | steps | virtual minutes | violated |
|---|---|---|---|---|---|
| ${sum.worlds} | ${sum.transfers} | ${sum.faults} | ${sum.steps} | ${(sum.lastedMs / MS / SECONDS).toFixed(1)} | ${sum.failed.length} |
| ${perMinute(sum.worlds)} a minute | ${perMinute(sum.transfers)} | ${perMinute(sum.faults)} | ${perMinute(sum.steps)} | ${perMinute(sum.lastedMs / MS / SECONDS)} | |`);
if (sum.failed.length > 0) {
  const folder = mkdtempSync(join(tmpdir(), "conclave-simulated-"));
  const plan = file === "" ? "" : ` PLAN=${file}`;
  for (const failed of sum.failed) {
    const kept = join(folder, `world-${failed.seed}`);
    writeFileSync(kept, failureText(failed));
    say(`make simulate${plan} SEED=${failed.seed} WORLDS=1 repeats it; its plan and timeline are in ${kept}`);
  }
  process.exit(1);
}
