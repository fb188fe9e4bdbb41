import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { type ChaosPlan, parsePlan } from "@conclave/chaos";
import {
  type CampaignSum,
  campaignTable,
  drawWorld,
  type EndedWorld,
  failureText,
  leftMsOf,
  liveText,
  NO_WORLDS,
  openLiveLine,
  openWorldPool,
  readCampaignSettings,
  repeatLine,
  runCampaign,
  whyNotRun,
  worldText,
} from "@conclave/simulator";

/**
 * `make simulate`: runs simulated clusters, each from one number, and checks the invariants of each. PLAN=file runs that plan in each
 * world; otherwise each world draws its faults. SEED=n is the first world's number (by default from the clock), WORLDS=n how many
 * there are, MINUTES=n how long worlds are begun, CORES=n how many run at a time; SIGNERS and THRESHOLD are of the drawn clusters.
 */

const MS_PER_MINUTE = 60_000;

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

/** A world that failed, and the file with its plan and its timeline. */
interface FailedWorld {
  readonly seed: number;
  readonly kept: string;
}

let folder: string | undefined;
const failed: FailedWorld[] = [];
const keep = (world: EndedWorld): void => {
  folder ??= mkdtempSync(join(tmpdir(), "conclave-simulated-"));
  const { seed } = world.order;
  const kept = join(folder, `world-${seed}`);
  writeFileSync(kept, failureText(world));
  failed.push({ seed, kept });
};

const beganMs = performance.now();
const elapsedMs = (): number => performance.now() - beganMs;
let soFar: CampaignSum = NO_WORLDS;
const live = openLiveLine(process.stdout, () =>
  liveText(soFar, elapsedMs(), leftMsOf(settings, soFar.worlds, elapsedMs())),
);
const isQuiet = process.stdout.isTTY && worlds !== 1;
const pool = openWorldPool(cores);
const sum = await runCampaign({
  firstSeed: settings.firstSeed,
  cores,
  goesOn: (begun) =>
    worlds === undefined ? begun === 0 || elapsedMs() < settings.minutes * MS_PER_MINUTE : begun < worlds,
  orderOf: (seed) => ({ seed, plan: given ?? drawWorld(seed, settings.size) }),
  run: pool.run,
  ended: (world, sumSoFar) => {
    soFar = sumSoFar;
    const hasFailed = world.report.findings.length > 0;
    if (hasFailed || !isQuiet) live.say(worldText(world));
    if (hasFailed) keep(world);
  },
});
live.end();
pool.close();
say(`\n${campaignTable(sum, { realMs: elapsedMs(), cores })}`);
if (failed.length > 0) {
  say("");
  for (const { seed, kept } of failed)
    say(`${repeatLine(settings, seed)} repeats it; its plan and timeline are in ${kept}`);
  process.exit(1);
}
