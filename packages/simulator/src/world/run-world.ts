import { type ChaosPlan, type FaultOutcome, plannedText } from "@conclave/chaos";
import type { TransferId } from "@conclave/custody";
import { readTransfer } from "@conclave/platform";
import { checkDeliveries } from "../check/check-deliveries.ts";
import { checkRun, NOTHING_ENDED } from "../check/check-run.ts";
import { isSettled } from "../check/inv-9.ts";
import type { Violation } from "../check/violation.ts";
import type { AskedTransfer } from "../client/client-process.ts";
import { chanceOf } from "../time/chance-of.ts";
import { NoProgress } from "../time/step-limit.ts";
import type { TraceLine } from "../trace/trace.ts";
import type { Reached } from "../watch/reached.ts";
import type { OwnWebhook } from "../webhook/webhook-facts.ts";
import type { ClusterPlan } from "./cluster-plan.ts";
import { deliveriesOf, factsOf } from "./facts-of-run.ts";
import { type LoadRun, load } from "./load.ts";
import { lookAtStandstill } from "./look-at-standstill.ts";
import { sessionLines } from "./session-lines.ts";
import { SimulatedCluster } from "./simulated-cluster.ts";
import { watchTransfers } from "./watch-transfers.ts";
import { whyNotRun } from "./why-not-run.ts";

/** The virtual time in which a healed cluster has to end all that it accepted. */
const ENDS_MS = 120_000;
const LOOK_MS = 250;
/** Some blocks, in which a late transaction lands. */
const BLOCKS_MS = 2_500;
/** Orchestrators look at settled transfers again within so long. */
const FOLLOWED_MS = 12_500;
/** The share of statements to the database that are lost, or whose answer is, unless a caller says another. */
const LOST_STATEMENTS = 0.002;
/** Answers of gateways to clients are lost so many times as often: there are as many times fewer of them. */
const LOST_ANSWERS_FACTOR = 20;

/** The share of worlds whose clients have webhooks: deliveries take a part of a world's time. */
const WEBHOOK_SHARE = 0.5;
const drawsWebhook = (seed: string): boolean => chanceOf(seed, "webhook").share() < WEBHOOK_SHARE;

/** Faults of a world that its plan does not name. */
export interface WorldOptions
  extends Pick<
    ClusterPlan,
    | "ran"
    | "stepLimits"
    | "presignatures"
    | "isAttacked"
    | "deathsInWrites"
    | "laggingNodes"
    | "clocksApartMs"
  > {
  /** 0.002 where it is left out */
  readonly lostStatements?: number;
  /** whether each client has a webhook; the seed draws it where it is left out */
  readonly hasWebhook?: boolean;
  /** whether the lines of the run have the ends of transfers and the sessions of signers, too; the digest is the same */
  readonly watchesTransfers?: boolean;
}

/** A run of a plan in one world, and what it violated. */
export interface WorldRun {
  readonly findings: readonly Violation[];
  readonly outcomes: readonly FaultOutcome[];
  /** by name, how often it was reached */
  readonly reached: Reached;
  readonly transfers: number;
  readonly steps: number;
  /** virtual milliseconds */
  readonly lastedMs: number;
  /** of all that its processes asked of servers, with the times: equal for equal seeds */
  readonly digest: string;
  readonly lines: readonly TraceLine[];
}

/**
 * Runs a plan: the load and its faults, then a phase without faults in which all that was accepted must end (INV-5).
 * @param seed of the world
 * @throws RangeError for a plan that `whyNotRun` refuses
 */
export const runWorld = async (
  plan: ChaosPlan,
  seed: string,
  {
    lostStatements = LOST_STATEMENTS,
    hasWebhook = drawsWebhook(seed),
    watchesTransfers = false,
    ...further
  }: WorldOptions = {},
): Promise<WorldRun> => {
  const whyNot = whyNotRun(plan);
  if (whyNot !== undefined) throw new RangeError(whyNot);
  const { signers, threshold, orchestrators, gateways, load } = plan;
  const cluster = await SimulatedCluster.open({
    ...further,
    seed,
    signers,
    threshold,
    orchestrators,
    gateways,
    networks: load.networks,
    lostStatements,
    lostAnswers: lostStatements * LOST_ANSWERS_FACTOR,
  });
  const watched = watchesTransfers ? watchTransfers(cluster) : () => [];
  try {
    cluster.startAll();
    const run = await runIn(cluster, plan, hasWebhook);
    const isRead = watchesTransfers || run.findings.length > 0;
    return { ...run, lines: inOrder(run.lines, [...watched(), ...(isRead ? sessionLines(cluster) : [])]) };
  } finally {
    await cluster.close();
  }
};

const inOrder = (lines: readonly TraceLine[], others: readonly TraceLine[]): readonly TraceLine[] =>
  [...lines, ...others].sort((one, other) => one.atUs - other.atUs);

const runIn = async (cluster: SimulatedCluster, plan: ChaosPlan, hasWebhook: boolean): Promise<WorldRun> => {
  try {
    const loaded = await load(cluster, plan, hasWebhook);
    const wasRewritten = isRewritten(plan, loaded.outcomes);
    const hasEnded = await untilEnded(cluster, loaded.webhooks, wasRewritten ? FOLLOWED_MS : BLOCKS_MS);
    const run = await resultOf(cluster, loaded, { hasEnded });
    if (hasEnded) return run;
    const stood = await standing(cluster, `not all has ended after ${ENDS_MS} virtual ms without faults`);
    return { ...run, findings: [stood, ...run.findings] };
  } catch (error) {
    if (!(error instanceof NoProgress)) throw error;
    const stood = await standing(cluster, error.message);
    const { asked, parts, failures } = cluster;
    const transfers = idsOf(asked).length;
    const seen = parts.watch.checks.found;
    const blame = { ...NOTHING_ENDED.blame, reached: parts.watch.reached.counts };
    const before = checkRun({ ...NOTHING_ENDED, made: parts.keys.made, blame, failures, seen });
    return { findings: [...before, stood], outcomes: [], transfers, ...measured(cluster) };
  }
};

const standing = (cluster: SimulatedCluster, why: string): Promise<Violation> =>
  lookAtStandstill(cluster, idsOf(cluster.asked), why);

const ENDS: readonly string[] = ["Confirmed", "Failed"];

/** The transfers that clients know of. */
const idsOf = (asked: readonly AskedTransfer[]): readonly TransferId[] =>
  asked.flatMap(({ ids }) => [...ids]);

const isAnswered = ({ ids, refusal }: AskedTransfer): boolean => ids.size > 0 || refusal !== undefined;

/**
 * Passes time until all has ended, and stays so for a while: a late transaction lands, and the end of a transfer whose block was undone is
 * taken back.
 * @param stayMs virtual milliseconds of that while
 * @returns whether all has ended: answers, transfers and deliveries
 */
const untilEnded = async (
  cluster: SimulatedCluster,
  webhooks: readonly OwnWebhook[],
  stayMs: number,
): Promise<boolean> => {
  const { world } = cluster;
  for (const untilMs = world.monotonicMs() + ENDS_MS; world.monotonicMs() < untilMs; ) {
    if (await isEnded(cluster, webhooks)) {
      await cluster.pass(stayMs);
      if (await isEnded(cluster, webhooks)) return true;
    }
    await cluster.pass(LOOK_MS);
  }
  return false;
};

const isEnded = async (cluster: SimulatedCluster, webhooks: readonly OwnWebhook[]): Promise<boolean> => {
  const { asked, clients, observer, parts } = cluster;
  if (!asked.every(isAnswered) || !clients.every(({ tried }) => tried.every(isSettled))) return false;
  if (parts.chains.some((chain) => chain.waiting() > 0)) return false;
  const rows = await cluster.passing(Promise.all(idsOf(asked).map((id) => readTransfer(observer, id))));
  if (!rows.every((row) => row !== undefined && ENDS.includes(row.status))) return false;
  return (await deliveriesOf(cluster, webhooks)).flatMap(checkDeliveries).length === 0;
};

/** Whether blocks of the chain were undone. */
const isRewritten = ({ faults }: ChaosPlan, outcomes: readonly FaultOutcome[]): boolean => {
  const begun = new Set(outcomes.flatMap(({ text, beganMs }) => (beganMs === undefined ? [] : [text])));
  return faults.some(
    (planned) =>
      planned.fault.kind === "chain" &&
      planned.fault.failure.kind === "reorganise" &&
      begun.has(plannedText(planned)),
  );
};

const resultOf = async (
  cluster: SimulatedCluster,
  loaded: LoadRun,
  end: { readonly hasEnded: boolean },
): Promise<WorldRun> => {
  const facts = await factsOf(cluster, loaded, end);
  const { outcomes } = loaded;
  return { findings: checkRun(facts), outcomes, transfers: facts.transfers.length, ...measured(cluster) };
};

const measured = ({
  parts: { scheduler, trace, watch },
}: SimulatedCluster): Pick<WorldRun, "reached" | "steps" | "lastedMs" | "digest" | "lines"> => ({
  reached: watch.reached.counts,
  steps: scheduler.steps,
  lastedMs: scheduler.nowUs / 1_000,
  digest: trace.sum.digest,
  lines: trace.lines,
});
