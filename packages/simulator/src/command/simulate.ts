import { availableParallelism } from "node:os";
import { runCampaign } from "../campaign/campaign.ts";
import { type CampaignSum, NO_WORLDS } from "../campaign/campaign-sum.ts";
import { campaignTable } from "../campaign/campaign-table.ts";
import { drawOrder } from "../campaign/draw-order.ts";
import { drawWorld } from "../campaign/draw-world.ts";
import { timelineOf } from "../campaign/failure-text.ts";
import { leftMsOf, liveText, openLiveLine, type TextStream } from "../campaign/live-line.ts";
import { PROFILES } from "../campaign/profile.ts";
import { type CampaignSettings, readCampaignSettings } from "../campaign/settings.ts";
import { neverReached } from "../campaign/sometimes.ts";
import { worldText } from "../campaign/world-text.ts";
import { openWorldPool, type RunOrder, type WorldPool } from "../workers/world-pool.ts";
import { FailedWorlds } from "./failed-worlds.ts";
import { type GivenPlan, readPlan } from "./read-plan.ts";

const MS_PER_MINUTE = 60_000;
const SEEDS = 1_000_000;

/** Opens processes for so many worlds at a time. */
type OpensPool = (cores: number) => WorldPool;

/** Exit codes of the command. */
const [HELD, VIOLATED, MISUSED] = [0, 1, 2];

/**
 * `make simulate`: runs simulated clusters, each from one number, and checks the invariants of each. PLAN=file runs that plan in each
 * world; otherwise each world draws its faults. SEED=n is the first world's number (by default the plan's, or from the clock), WORLDS=n
 * how many there are, MINUTES=n how long worlds are begun, CORES=n how many run at a time; SIGNERS, THRESHOLD and TRANSFERS are the size
 * of drawn worlds, PROFILE=calm|rough|hostile says how wild their faults are. For the first failed worlds it looks for smaller plans, in
 * SHRINK=40 runs each at most; SHRINK=0 leaves that out. From SOMETIMES=500 worlds on, a campaign fails that never reached a thing of the
 * table.
 *
 * @param texts the settings, as the environment has them
 * @param stream gets what people read
 * @param openPool opens the processes that run worlds
 * @returns the exit code: 1 where a world failed or the campaign reached too little, 2 where a setting or the plan cannot be used
 */
export const simulateClusters = async (
  texts: Readonly<Record<string, string | undefined>>,
  stream: TextStream,
  openPool: OpensPool = openWorldPool,
): Promise<number> => {
  const read = readCampaignSettings(texts, {
    seed: 1 + (Date.now() % SEEDS),
    cores: availableParallelism(),
  });
  if (!read.ok) return misused(stream, [read.sentence]);
  const { settings } = read;
  if (settings.planFile === undefined) return runWorlds(settings, undefined, { stream, openPool });
  const plan = readPlan(settings.planFile);
  if (!plan.ok) return misused(stream, plan.sentences);
  const seed = texts["SEED"] ? undefined : plan.given.seed;
  const firstSeed = seed ?? settings.firstSeed;
  return runWorlds({ ...settings, firstSeed }, plan.given, { stream, openPool });
};

const write = (stream: TextStream, lines: readonly string[]): void =>
  void stream.write(lines.map((line) => `${line}\n`).join(""));

const misused = (stream: TextStream, sentences: readonly string[]): number => {
  write(stream, sentences);
  return MISUSED;
};

const runWorlds = async (
  settings: CampaignSettings,
  given: GivenPlan | undefined,
  { stream, openPool }: { readonly stream: TextStream; readonly openPool: OpensPool },
): Promise<number> => {
  const failed = new FailedWorlds(settings);
  const pool = openPool(coresOf(settings));
  const sum = await campaignIn(settings, given, { stream, failed, run: pool.run });
  await failed.shrink(pool.run, stream);
  pool.close();
  const never = neverIn(sum, settings, given);
  if (never.length > 0) {
    const head = `No world of ${sum.worlds} reached these, so that the campaign shows nothing about them:`;
    write(stream, ["", head, ...never.map((title) => `  ${title}`)]);
  }
  if (failed.count > 0) write(stream, ["", ...failed.lines]);
  return never.length > 0 || failed.count > 0 ? VIOLATED : HELD;
};

/** How many worlds run at a time. */
const coresOf = ({ cores, worlds }: CampaignSettings): number => Math.min(cores, worlds ?? cores);

/** Runs all worlds, and shows them: one alone with its timeline, several with a table at the end. */
const campaignIn = async (
  settings: CampaignSettings,
  given: GivenPlan | undefined,
  {
    stream,
    failed,
    run,
  }: { readonly stream: TextStream; readonly failed: FailedWorlds; readonly run: RunOrder },
): Promise<CampaignSum> => {
  const { worlds, size } = settings;
  const [profile, cores, isSingle] = [PROFILES[settings.profile], coresOf(settings), worlds === 1];
  const isQuiet = stream.isTTY === true && !isSingle;
  const beganMs = performance.now();
  const elapsedMs = (): number => performance.now() - beganMs;
  let soFar: CampaignSum = NO_WORLDS;
  const live = openLiveLine(stream, () =>
    liveText(soFar, elapsedMs(), leftMsOf(settings, soFar.worlds, elapsedMs())),
  );
  const sum = await runCampaign({
    firstSeed: settings.firstSeed,
    cores,
    goesOn: (begun) =>
      worlds === undefined ? begun === 0 || elapsedMs() < settings.minutes * MS_PER_MINUTE : begun < worlds,
    orderOf: (seed) => ({
      ...drawOrder(seed, given?.plan ?? drawWorld(seed, size, profile), profile),
      isShown: isSingle,
    }),
    run,
    ended: (world, sumSoFar) => {
      soFar = sumSoFar;
      const hasFailed = world.report.findings.length > 0;
      if (isSingle) live.say(`${timelineOf(world)}\n`);
      if (hasFailed || !isQuiet) live.say(worldText(world));
      if (hasFailed) failed.keep(world);
    },
  });
  live.end();
  if (!isSingle) write(stream, ["", campaignTable(sum, { realMs: elapsedMs(), cores })]);
  return sum;
};

/** The rare paths that a campaign of drawn worlds never reached. A plan of the caller's need not reach anything. */
const neverIn = (
  sum: CampaignSum,
  { profile, sometimesFrom }: CampaignSettings,
  given: GivenPlan | undefined,
): readonly string[] =>
  given === undefined
    ? neverReached(sum.reached, {
        worlds: sum.worlds,
        least: sometimesFrom,
        isAttacked: PROFILES[profile].attacked > 0,
      })
    : [];
