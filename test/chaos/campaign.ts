import { setMaxListeners } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type ChaosPlan, type ChaosRun, carryOut, type FaultOutcome, planText } from "@conclave/chaos";
import { processWorld } from "@conclave/platform/world";
import { type Cluster, createCluster, forgetState } from "@conclave/testbed";
import { checkCluster } from "./check/check-cluster.ts";
import type { Finding } from "./check/finding.ts";
import { expectationsOf } from "./expectations.ts";
import { BusCopies } from "./inject/bus-copies.ts";
import { processInjector } from "./inject/injector.ts";
import { FIRST_NETWORK } from "./inject/process-names.ts";
import type { LoadHistory } from "./load/history.ts";
import { type Load, startLoad } from "./load/load.ts";

/** Until all that was accepted has ended, once all faults are healed. */
const DRAIN_MS = 10 * 60_000;
const PRESIGNATURES = 3;

/** How a plan is carried out, and who hears of it. */
export interface CampaignOptions {
  /** keeps the cluster's logs and state, the plan and the timeline; removed when nothing was found, unless `keeps` */
  readonly folder: string;
  readonly keeps?: boolean;
  /** real parameters take a minute to start, and two seconds for a signature without a stock */
  readonly parameters: "CGGMP24-128" | "INSECURE-TEST";
  readonly tell: (line: string) => void;
}

/** What became of a plan. */
export interface Campaign {
  readonly plan: ChaosPlan;
  readonly outcomes: readonly FaultOutcome[];
  readonly history: LoadHistory;
  readonly findings: readonly Finding[];
  /** from the end of the load, when all was healed, until the last accepted request had ended */
  readonly drainedMs: number;
}

const startPlanned = async (plan: ChaosPlan, { folder, parameters }: CampaignOptions): Promise<Cluster> => {
  const further = plan.load.networks.filter((network) => network !== FIRST_NETWORK);
  const cluster = await createCluster({
    state: join(folder, "cluster"),
    parameters,
    signers: plan.signers,
    threshold: plan.threshold,
    orchestrators: plan.orchestrators,
    gateways: plan.gateways,
    networks: further,
    presignatures: PRESIGNATURES,
    requestsPerMinute: 0,
    // whatever passes a proxy costs the cores that the cluster works on
    links: plan.faults.some(({ fault }) => fault.kind === "link") ? "proxied" : "direct",
    faults: true,
    ports: "free",
  });
  await Promise.all(further.map((network) => cluster.startNode(network)));
  return cluster;
};

const goesBack = ({ faults }: ChaosPlan): boolean =>
  faults.some(({ fault }) => fault.kind === "bus" && fault.failure.kind === "goes back");

/** Carries out the faults beside the load, and writes down when each began and healed. */
const carryOutBeside = async (
  cluster: Cluster,
  load: Load,
  plan: ChaosPlan,
  folder: string,
  say: (words: string) => void,
): Promise<readonly FaultOutcome[]> => {
  const began = load.history.beganAtMs;
  const ended = new AbortController();
  // each fault that has not begun or healed waits for it
  setMaxListeners(0, ended.signal);
  const timer = setTimeout(() => ended.abort(), Math.max(0, began + plan.load.lastsMs - Date.now()));
  using copies = goesBack(plan) ? new BusCopies(cluster, join(folder, "bus-copies")) : undefined;
  const run: ChaosRun = {
    injector: processInjector(cluster, plan.seed, copies),
    elapsedMs: () => Date.now() - began,
    sleep: processWorld.sleep,
    reached: (number, stage, until) =>
      Promise.race([
        load.when(number, stage),
        new Promise<void>((resolve) => until.addEventListener("abort", () => resolve())),
      ]),
    ended: ended.signal,
    tell: say,
  };
  try {
    const outcomes = await carryOut(run, plan.faults);
    // the load goes on until its end, whatever the last fault was
    await processWorld.sleep(Math.max(0, began + plan.load.lastsMs - Date.now()));
    return outcomes;
  } finally {
    clearTimeout(timer);
    ended.abort();
  }
};

/**
 * Starts the cluster of a plan, puts the load on it, makes the faults, heals them, waits until all that was accepted has ended, and checks
 * every invariant from outside.
 * @throws when the cluster does not start; what is found wrong later is a finding
 */
export const runCampaign = async (plan: ChaosPlan, options: CampaignOptions): Promise<Campaign> => {
  const { folder, tell } = options;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "plan"), planText(plan));
  const timeline: string[] = [];
  const say = (words: string): void => {
    timeline.push(`${new Date().toISOString()} ${words}`);
    tell(words);
  };
  const cluster = await startPlanned(plan, options);
  let isClean = false;
  try {
    const gateways = cluster.description.gateways.map(({ url }) => url);
    const load = await startLoad(cluster, { seed: plan.seed, ...plan.load, gateways });
    say(`the load begins: ${plan.load.perSecond} transfers a second`);
    const outcomes = await carryOutBeside(cluster, load, plan, folder, say);
    const endedAtMs = Date.now();
    say("the load has ended, and all is healed");
    const undrained = await load.drain(DRAIN_MS).then(
      () => [],
      (error: Error): readonly Finding[] => [{ invariant: "INV-5", words: error.message }],
    );
    const drainedMs = Date.now() - endedAtMs;
    say(
      undrained.length === 0
        ? `all that was accepted has ended after ${drainedMs} ms`
        : `something has not ended after ${drainedMs} ms`,
    );
    const expected = expectationsOf(plan, outcomes, load.history.beganAtMs);
    const findings = [...undrained, ...(await checkCluster(cluster, load.history, expected))];
    await load.stop();
    isClean = findings.length === 0 && outcomes.every(({ trouble }) => trouble === undefined);
    return { plan, outcomes, history: load.history, findings, drainedMs };
  } finally {
    writeFileSync(join(folder, "timeline"), `${timeline.join("\n")}\n`);
    await cluster.stop();
    if (isClean && options.keeps !== true) forgetState(folder);
  }
};
