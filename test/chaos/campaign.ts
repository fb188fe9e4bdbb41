import { setMaxListeners } from "node:events";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type ChaosPlan, type ChaosRun, carryOut, type FaultOutcome, planText } from "@conclave/chaos";
import { processWorld } from "@conclave/platform/world";
import { type Cluster, createCluster, forgetState, waitUntil } from "@conclave/testbed";
import { checkCluster } from "./check/check-cluster.ts";
import type { Finding } from "./check/finding.ts";
import { expectationsOf } from "./expectations.ts";
import { AgedCopies } from "./inject/aged-copies.ts";
import { ProcessEnds } from "./inject/end-processes.ts";
import { processInjector } from "./inject/injector.ts";
import { giveNewShares } from "./inject/new-shares.ts";
import { FIRST_NETWORK } from "./inject/process-names.ts";
import { ServerClock } from "./inject/server-clock.ts";
import { SignerStores } from "./inject/signer-stores.ts";
import type { LoadHistory } from "./load/history.ts";
import { type Load, startLoad } from "./load/load.ts";

/** Longest wait, after all faults are healed, until all accepted requests have ended. */
const DRAIN_MS = 10 * 60_000;
const PRESIGNATURES = 3;
/** Longest wait for gateways to serve again after their database connections were ended. */
const SERVING_MS = 60_000;
/** Interval between copies of the bus's store. */
const COPY_EVERY_MS = 1_000;

/** How to run a plan. */
export interface CampaignOptions {
  /** holds the cluster's logs and state, the plan and the timeline; removed when nothing was found, unless `keeps` */
  readonly folder: string;
  readonly keeps?: boolean;
  /** production parameters take a minute to start, and two seconds per signature without a stock */
  readonly parameters: "CGGMP24-128" | "INSECURE-TEST";
  readonly report: (line: string) => void;
}

/** The outcome of a plan. */
export interface Campaign {
  readonly plan: ChaosPlan;
  readonly outcomes: readonly FaultOutcome[];
  readonly history: LoadHistory;
  readonly findings: readonly Finding[];
  /** time from the end of the load, with all faults healed, until the last accepted request ended */
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
    // a proxy costs CPU time that the cluster needs
    links: plan.faults.some(({ fault }) => fault.kind === "link") ? "proxied" : "direct",
    faults: true,
    ports: "free",
  });
  await Promise.all(further.map((network) => cluster.startNode(network)));
  return cluster;
};

/** Starts to copy the bus's store repeatedly; undefined if the plan never restores an older copy. */
const copyBusOf = (cluster: Cluster, { faults }: ChaosPlan, folder: string): AgedCopies | undefined => {
  const backsMs = faults.flatMap(({ fault }) =>
    fault.kind === "bus" && fault.failure.kind === "goes back" ? [fault.failure.byMs] : [],
  );
  if (backsMs.length === 0) return undefined;
  const copied = {
    copy: (to: string) => cluster.copyBus(to),
    restore: (from: string) => cluster.restoreBus(from),
  };
  return new AgedCopies(copied, { folder, everyMs: COPY_EVERY_MS, longestMs: Math.max(...backsMs) });
};

/** Makes the database's clock settable before the load begins; undefined if the plan never moves it. */
const serverClockOf = async (
  { layout, description }: Pick<Cluster, "layout" | "description">,
  { faults }: ChaosPlan,
): Promise<ServerClock | undefined> => {
  if (!faults.some(({ fault }) => fault.kind === "clock" && fault.place.kind === "database"))
    return undefined;
  const clock = await ServerClock.install(readFileSync(layout.databaseUrl, "utf8").trim());
  for (const { url } of description.gateways) {
    const serves = async (): Promise<true | undefined> => {
      const answer = await fetch(`${url}/health`).catch(() => undefined);
      await answer?.body?.cancel();
      return answer?.ok === true ? true : undefined;
    };
    await waitUntil(serves, { what: `${url} to serve`, deadlineMs: SERVING_MS });
  }
  return clock;
};

/** The folder and the report of a run. */
interface RunOutput {
  readonly folder: string;
  readonly say: (words: string) => void;
}

/** Injects the faults during the load, and records when each began and was healed. */
const carryOutBeside = async (
  cluster: Cluster,
  load: Load,
  plan: ChaosPlan,
  { folder, say, serverClock }: RunOutput & { readonly serverClock: ServerClock | undefined },
): Promise<{ readonly outcomes: readonly FaultOutcome[]; readonly stores: SignerStores }> => {
  const began = load.history.beganAtMs;
  const ended = new AbortController();
  // every pending fault adds a listener, so lift Node's warning limit
  setMaxListeners(0, ended.signal);
  const timer = setTimeout(() => ended.abort(), Math.max(0, began + plan.load.lastsMs - Date.now()));
  const ends = new ProcessEnds(cluster);
  using busCopies = copyBusOf(cluster, plan, join(folder, "bus-copies"));
  using stores = new SignerStores(cluster, ends, {
    folder: join(folder, "stores"),
    faults: plan.faults.map(({ fault }) => fault),
    seed: plan.seed,
    giveNewShares: (...command) => giveNewShares(cluster, ...command),
    report: say,
  });
  const run: ChaosRun = {
    injector: processInjector(cluster, plan.seed, { ends, stores, busCopies, serverClock }),
    elapsedMs: () => Date.now() - began,
    sleep: processWorld.sleep,
    reached: (number, stage, until) =>
      Promise.race([
        load.when(number, stage),
        new Promise<void>((resolve) => until.addEventListener("abort", () => resolve())),
      ]),
    ended: ended.signal,
    report: say,
  };
  try {
    const outcomes = await carryOut(run, plan.faults);
    // the load continues to its end even if all faults are over
    await processWorld.sleep(Math.max(0, began + plan.load.lastsMs - Date.now()));
    return { outcomes, stores };
  } finally {
    clearTimeout(timer);
    ended.abort();
  }
};

/** Waits until all accepted requests have ended. @returns how long it took, and a finding if some did not end */
const drainedOf = async (
  load: Load,
  say: RunOutput["say"],
): Promise<{ readonly drainedMs: number; readonly undrained: readonly Finding[] }> => {
  const fromMs = Date.now();
  const undrained = await load.drain(DRAIN_MS).then(
    () => [],
    (error: Error): readonly Finding[] => [{ invariant: "INV-5", words: error.message }],
  );
  const drainedMs = Date.now() - fromMs;
  const words = undrained.length === 0 ? "all that was accepted has ended" : "something has not ended";
  say(`${words} after ${drainedMs} ms`);
  return { drainedMs, undrained };
};

/**
 * After the drain, gives new shares to signers that refused their stores, or whose keys are older than a restored store.
 * @returns findings: entries written again in those stores, or missing shares
 */
const mendingOf = (stores: SignerStores): Promise<readonly Finding[]> =>
  stores.mend().then(
    (again) =>
      again.map((entry): Finding => ({ invariant: "INV-4", words: `${entry} was lost, and written again` })),
    (error: Error): readonly Finding[] => [{ invariant: "INV-5", words: `no new shares: ${error.message}` }],
  );

/**
 * Runs a plan: starts its cluster and load, injects and heals the faults, waits until all accepted requests have ended, and
 * checks every invariant from outside.
 * @throws when the cluster does not start; later problems are findings
 */
export const runCampaign = async (plan: ChaosPlan, options: CampaignOptions): Promise<Campaign> => {
  const { folder, report } = options;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "plan"), planText(plan));
  const timeline: string[] = [];
  const say = (words: string): void => {
    timeline.push(`${new Date().toISOString()} ${words}`);
    report(words);
  };
  const cluster = await startPlanned(plan, options);
  let isClean = false;
  let serverClock: ServerClock | undefined;
  try {
    serverClock = await serverClockOf(cluster, plan);
    const gateways = cluster.description.gateways.map(({ url }) => url);
    const load = await startLoad(cluster, { seed: plan.seed, ...plan.load, gateways });
    say(`the load begins: ${plan.load.perSecond} transfers a second`);
    const { outcomes, stores } = await carryOutBeside(cluster, load, plan, { folder, say, serverClock });
    say("the load has ended, and all is healed");
    const { drainedMs, undrained } = await drainedOf(load, say);
    const unmended = await mendingOf(stores);
    const expected = expectationsOf(plan, outcomes, load.history.beganAtMs);
    const found = await checkCluster(cluster, load.history, expected, stores.past);
    const findings = [...undrained, ...unmended, ...found];
    await load.stop();
    isClean = findings.length === 0 && outcomes.every(({ trouble }) => trouble === undefined);
    return { plan, outcomes, history: load.history, findings, drainedMs };
  } finally {
    writeFileSync(join(folder, "timeline"), `${timeline.join("\n")}\n`);
    await serverClock?.close();
    await cluster.stop();
    if (isClean && options.keeps !== true) forgetState(folder);
  }
};
