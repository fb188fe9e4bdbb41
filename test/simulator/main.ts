import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { type ChaosPlan, parsePlan } from "@conclave/chaos";
import {
  drawWorld,
  type EndedWorld,
  failureText,
  openWorldPool,
  readCampaignSettings,
  runCampaign,
  whyNotRun,
} from "@conclave/simulator";

/**
 * `make simulate`: runs simulated clusters, each from one number, and checks the invariants of each. PLAN=file runs that plan in each
 * world; otherwise each world draws its faults. SEED=n is the first world's number (by default from the clock), WORLDS=n how many
 * there are, MINUTES=n how long worlds are begun, CORES=n how many run at a time; SIGNERS and THRESHOLD are of the drawn clusters.
 */

const SECONDS = 60;
const MS = 1_000;

const say = (line: string): void => void process.stdout.write(`${line}\n`);
const usage = (line: string): never => {
  say(line);
  process.exit(2);
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

const read = readCampaignSettings(process.env, {
  seed: 1 + (Date.now() % 1_000_000),
  cores: availableParallelism(),
});
const settings = read.ok ? read.settings : usage(read.sentence);
const { worlds, planFile, cores } = settings;
const given = planFile === undefined ? undefined : readPlan(planFile);

const failed: EndedWorld[] = [];
const sayWorld = (world: EndedWorld): void => {
  const { transfers, steps, lastedMs, outcomes, findings } = world.report;
  const seconds = (lastedMs / MS).toFixed(1);
  const found = findings.length === 0 ? "no finding" : `${findings.length} findings`;
  say(
    `world ${world.order.seed}: ${transfers} transfers, ${outcomes.length} faults, ${steps} steps, ${seconds} virtual s, ${found}`,
  );
  for (const { text, trouble } of outcomes)
    if (trouble !== undefined) say(`  not carried out: ${text}: ${trouble}`);
  for (const { invariant, words } of findings) say(`  ${invariant}: ${words}`);
  if (findings.length > 0) failed.push(world);
};

const beganMs = performance.now();
const untilMs = beganMs + settings.minutes * SECONDS * MS;
const pool = openWorldPool(cores);
const sum = await runCampaign({
  firstSeed: settings.firstSeed,
  cores,
  goesOn: (begun) => (worlds === undefined ? begun === 0 || performance.now() < untilMs : begun < worlds),
  orderOf: (seed) => ({ seed, plan: given ?? drawWorld(seed, settings.size) }),
  run: pool.run,
  ended: sayWorld,
});
pool.close();

const minutes = (performance.now() - beganMs) / MS / SECONDS;
const perMinute = (count: number): string => (count / minutes).toFixed(0);
say("");
say(`| worlds | transfers | steps | virtual minutes | violated |
|---|---|---|---|---|
| ${sum.worlds} | ${sum.transfers} | ${sum.steps} | ${(sum.lastedMs / MS / SECONDS).toFixed(1)} | ${sum.failed} |
| ${perMinute(sum.worlds)} a minute | ${perMinute(sum.transfers)} | ${perMinute(sum.steps)} | ${perMinute(sum.lastedMs / MS / SECONDS)} | |`);
if (failed.length > 0) {
  const folder = mkdtempSync(join(tmpdir(), "conclave-simulated-"));
  const plan = planFile === undefined ? "" : ` PLAN=${planFile}`;
  for (const world of failed) {
    const { seed } = world.order;
    const kept = join(folder, `world-${seed}`);
    writeFileSync(kept, failureText(world));
    say(`make simulate${plan} SEED=${seed} WORLDS=1 repeats it; its plan and timeline are in ${kept}`);
  }
  process.exit(1);
}
