import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { type ChaosPlan, parsePlan } from "@conclave/chaos";
import {
  type CampaignSum,
  campaignTable,
  drawOrder,
  drawWorld,
  type EndedWorld,
  failedPlanText,
  failureText,
  leftMsOf,
  liveText,
  migratedDump,
  NO_WORLDS,
  neverReached,
  openLiveLine,
  openWorldPool,
  PROFILES,
  type RunOrder,
  readCampaignSettings,
  repeatLine,
  reportOf,
  runCampaign,
  shrinkWorld,
  timelineOf,
  whyNotRun,
  worldText,
} from "@conclave/simulator";

/**
 * `make simulate`: runs simulated clusters, each from one number, and checks the invariants of each. PLAN=file runs that plan in each
 * world; otherwise each world draws its faults. SEED=n is the first world's number (by default the plan's, or from the clock), WORLDS=n
 * how many there are, MINUTES=n how long worlds are begun, CORES=n how many run at a time; SIGNERS, THRESHOLD and TRANSFERS are the size
 * of drawn worlds, PROFILE=calm|rough|hostile says how wild their faults are. For the first failed worlds it looks for smaller plans, in
 * SHRINK=40 runs each at most; SHRINK=0 leaves that out. From SOMETIMES=500 worlds on, a campaign fails that never reached a thing of the
 * table.
 */

const MS_PER_MINUTE = 60_000;
/** So many failed worlds are shrunk: each takes the time of many worlds. */
const SHRUNK_MAX = 3;

const say = (line: string): void => void process.stdout.write(`${line}\n`);
const usage = (line: string): never => {
  say(line);
  process.exit(2);
};

/** A plan, and its seed where it names one. */
interface GivenPlan {
  readonly plan: ChaosPlan;
  readonly seed: number | undefined;
}

const readPlan = (file: string): GivenPlan => {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch {
    return usage(
      `PLAN=${file} cannot be read: name a file with a plan, such as examples/a-signer-dies.plan.`,
    );
  }
  const parsed = parsePlan(text);
  if (!parsed.ok) {
    for (const { line, message, remedy } of parsed.problems) say(`${file}:${line}: ${message}. ${remedy}`);
    process.exit(2);
  }
  const whyNot = whyNotRun(parsed.plan);
  if (whyNot !== undefined) return usage(`${file}: ${whyNot}`);
  return { plan: parsed.plan, seed: /^seed \d/m.test(text) ? parsed.plan.seed : undefined };
};

const read = readCampaignSettings(process.env, {
  seed: 1 + (Date.now() % 1_000_000),
  cores: availableParallelism(),
});
const settings = read.ok ? read.settings : usage(read.sentence);
const { worlds, planFile } = settings;
const cores = Math.min(settings.cores, worlds ?? settings.cores);
const profile = PROFILES[settings.profile];
const given = planFile === undefined ? undefined : readPlan(planFile);
const plansSeed = process.env["SEED"] ? undefined : given?.seed;

let folder: string | undefined;
/** The failed worlds, each with the file that has its plan and its timeline. */
const failed: { readonly world: EndedWorld; readonly kept: string }[] = [];
const keep = (world: EndedWorld): void => {
  folder ??= mkdtempSync(join(tmpdir(), "conclave-simulated-"));
  const { seed } = world.order;
  const kept = join(folder, `world-${seed}`);
  writeFileSync(kept, failureText(world));
  writeFileSync(`${kept}.plan`, failedPlanText(world, repeatLine(settings, seed)));
  failed.push({ world, kept });
};

const beganMs = performance.now();
const elapsedMs = (): number => performance.now() - beganMs;
let soFar: CampaignSum = NO_WORLDS;
const live = openLiveLine(process.stdout, () =>
  liveText(soFar, elapsedMs(), leftMsOf(settings, soFar.worlds, elapsedMs())),
);
const isSingle = worlds === 1;
const isQuiet = process.stdout.isTTY && !isSingle;
// made once, or read where an earlier run kept it: each worker would make it anew otherwise
await migratedDump();
const pool = openWorldPool(cores);
const sum = await runCampaign({
  firstSeed: plansSeed ?? settings.firstSeed,
  cores,
  goesOn: (begun) =>
    worlds === undefined ? begun === 0 || elapsedMs() < settings.minutes * MS_PER_MINUTE : begun < worlds,
  orderOf: (seed) => ({
    ...drawOrder(seed, given?.plan ?? drawWorld(seed, settings.size, profile), profile),
    isShown: isSingle,
  }),
  // a single world is there sooner without a process of its own
  run: isSingle ? reportOf : pool.run,
  ended: (world, sumSoFar) => {
    soFar = sumSoFar;
    const hasFailed = world.report.findings.length > 0;
    if (isSingle) live.say(`${timelineOf(world)}\n`);
    if (hasFailed || !isQuiet) live.say(worldText(world));
    if (hasFailed) keep(world);
  },
});
live.end();
if (!isSingle) say(`\n${campaignTable(sum, { realMs: elapsedMs(), cores })}`);
// a plan of the caller's need not reach anything
const never =
  given === undefined
    ? neverReached(sum.reached, {
        worlds: sum.worlds,
        least: settings.sometimesFrom,
        isAttacked: profile.attacked > 0,
      })
    : [];

/** Looks for smaller plans of the first failed worlds. @returns by seed, the command that repeats a world with the smallest one */
const shrinkFailed = async (): Promise<ReadonlyMap<number, string>> => {
  const chosen = failed.slice(0, SHRUNK_MAX);
  const most = chosen.length * settings.shrinkRuns;
  const commands = new Map<number, string>();
  if (most === 0) return commands;
  let runs = 0;
  const line = openLiveLine(process.stdout, () => `shrinking: ${runs} worlds run, ${most} at most`);
  const run: RunOrder = async (order) => {
    const report = await pool.run(order);
    runs += 1;
    return report;
  };
  const shrink = async ({ world, kept }: (typeof chosen)[number]): Promise<void> => {
    const shrunk = await shrinkWorld(world, run, settings.shrinkRuns);
    if (shrunk === undefined) return;
    const { seed } = world.order;
    const command = repeatLine(settings, seed, `${kept}.shrunk.plan`);
    writeFileSync(`${kept}.shrunk.plan`, failedPlanText(shrunk, command));
    writeFileSync(`${kept}.shrunk`, failureText(shrunk));
    commands.set(seed, command);
  };
  await Promise.all(chosen.map(shrink));
  line.end();
  return commands;
};

const shrunk = await shrinkFailed();
pool.close();
if (never.length > 0) {
  say(`\nNo world of ${sum.worlds} reached these, so that the campaign shows nothing about them:`);
  for (const title of never) say(`  ${title}`);
  process.exitCode = 1;
}
if (failed.length > 0) {
  say("");
  for (const { world, kept } of failed) {
    const { seed } = world.order;
    say(`${repeatLine(settings, seed)} repeats it; its plan and timeline are in ${kept}`);
    const command = shrunk.get(seed);
    if (command !== undefined) say(`  ${command} has a smaller plan; its timeline is in ${kept}.shrunk`);
  }
  process.exit(1);
}
