import { setMaxListeners } from "node:events";
import { type ChaosPlan, carryOut, type FaultOutcome, type Stage } from "@conclave/chaos";
import type { ChainWallet, EndSignal, Transfer } from "@conclave/custody";
import { listEvents, readTransfer } from "@conclave/platform";
import { SIMULATED_NETWORK } from "../chain/simulated-chain.ts";
import { checkRun } from "../check/check-run.ts";
import type { EndedTransfer } from "../check/ended-transfer.ts";
import type { Violation } from "../check/violation.ts";
import { SimulatedInjector } from "../fault/simulated-injector.ts";
import { NoProgress } from "../time/step-limit.ts";
import type { TraceLine } from "../trace/trace.ts";
import type { Reached } from "../watch/reached.ts";
import { lookAtStandstill } from "./look-at-standstill.ts";
import { type ClusterPlan, SimulatedCluster } from "./simulated-cluster.ts";
import { watchTransfers } from "./watch-transfers.ts";

/** The virtual time in which a healed cluster has to end all that it accepted. */
const ENDS_MS = 120_000;
const LOOK_MS = 250;
const WALLET_MS = 60_000;
const FUNDS = 10n ** 24n;
/** The share of statements to the database that are lost, or whose answer is, unless a caller says another. */
const LOST_STATEMENTS = 0.002;

/** Faults of a world that its plan does not name. */
export interface WorldOptions
  extends Pick<ClusterPlan, "ran" | "stepLimits" | "presignatures" | "isAttacked"> {
  /** 0.002 where it is left out */
  readonly lostStatements?: number;
  /** whether the lines of the run have the ends of transfers, too; the digest is the same */
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

/** Why a plan cannot be run in a world; undefined when it can. */
export const whyNotRun = ({ load }: ChaosPlan): string | undefined => {
  const strange = load.networks.filter((network) => network !== SIMULATED_NETWORK);
  return strange.length === 0
    ? undefined
    : `A world has the network ${SIMULATED_NETWORK} alone: let the load of the plan be on it, not on ${strange.join(", ")}.`;
};

/**
 * Runs a plan: the load and its faults, then a phase without faults in which all that was accepted must end (INV-5).
 * @param seed of the world
 * @throws RangeError for a plan that `whyNotRun` refuses
 */
export const runWorld = async (
  plan: ChaosPlan,
  seed: string,
  { lostStatements = LOST_STATEMENTS, watchesTransfers = false, ...watch }: WorldOptions = {},
): Promise<WorldRun> => {
  const whyNot = whyNotRun(plan);
  if (whyNot !== undefined) throw new RangeError(whyNot);
  const { signers, threshold, orchestrators } = plan;
  const cluster = await SimulatedCluster.open({
    ...watch,
    seed,
    signers,
    threshold,
    orchestrators,
    lostStatements,
  });
  const accepted: Accepted[] = [];
  const watched = watchesTransfers ? watchTransfers(cluster, accepted) : () => [];
  const withEnds = (run: WorldRun): WorldRun => ({ ...run, lines: inOrder(run.lines, watched()) });
  try {
    await cluster.start();
    const wallets = await makeWallets(cluster, plan.load.wallets);
    const outcomes = await load(cluster, plan, wallets, accepted);
    const hasEnded = await untilEnded(cluster, accepted);
    const run = await resultOf(cluster, plan, accepted, outcomes);
    if (hasEnded) return withEnds(run);
    const stood = await standing(
      cluster,
      accepted,
      `not all has ended after ${ENDS_MS} virtual ms without faults`,
    );
    return withEnds({ ...run, findings: [...run.findings, stood] });
  } catch (error) {
    if (!(error instanceof NoProgress)) throw error;
    const stood = await standing(cluster, accepted, error.message);
    return withEnds({ findings: [stood], outcomes: [], transfers: accepted.length, ...measured(cluster) });
  } finally {
    await cluster.close();
  }
};

const inOrder = (lines: readonly TraceLine[], others: readonly TraceLine[]): readonly TraceLine[] =>
  [...lines, ...others].sort((one, other) => one.atUs - other.atUs);

const standing = (
  cluster: SimulatedCluster,
  accepted: readonly Accepted[],
  why: string,
): Promise<Violation> =>
  lookAtStandstill(
    cluster,
    accepted.map(({ transfer }) => transfer.id),
    why,
  );

const makeWallets = async (cluster: SimulatedCluster, count: number): Promise<readonly ChainWallet[]> => {
  const { gateway, parts } = cluster;
  const ids = await cluster.passing(Promise.all(Array.from({ length: count }, () => gateway.createWallet())));
  const wallets: ChainWallet[] = [];
  for (const id of ids) {
    const wallet = await found(cluster, WALLET_MS, () => gateway.readWallet(id));
    if (wallet === undefined) throw new Error(`the wallet ${id} has no key after ${WALLET_MS} ms`);
    parts.chain.chain.fund(wallet.address, FUNDS);
    wallets.push(wallet);
  }
  return wallets;
};

/** Looks for something again and again while virtual time passes. */
const found = async <T>(
  cluster: SimulatedCluster,
  forMs: number,
  look: () => Promise<T | undefined>,
): Promise<T | undefined> => {
  for (let waitedMs = 0; waitedMs < forMs; waitedMs += LOOK_MS) {
    const seen = await cluster.passing(look());
    if (seen !== undefined) return seen;
    await cluster.pass(LOOK_MS);
  }
  return undefined;
};

/** A transfer that was accepted, and its recipient. */
interface Accepted {
  readonly transfer: Transfer;
  readonly to: string;
  readonly amount: bigint;
}

/** @param accepted gets each transfer as it is accepted */
const load = async (
  cluster: SimulatedCluster,
  plan: ChaosPlan,
  wallets: readonly ChainWallet[],
  accepted: Accepted[],
): Promise<readonly FaultOutcome[]> => {
  const ended = new AbortController();
  // each fault waits for the end, and Node warns of a leak where more than ten do
  setMaxListeners(plan.faults.length + 1, ended.signal);
  const { world } = cluster;
  const beganMs = world.monotonicMs();
  const elapsedMs = (): number => world.monotonicMs() - beganMs;
  const faults = carryOut(
    {
      injector: new SimulatedInjector(
        cluster,
        plan.faults.map(({ fault }) => fault),
      ),
      elapsedMs,
      sleep: (ms, until) => world.sleep(ms, until),
      reached: (request, stage, until) => reached(cluster, accepted, { request, stage }, until),
      ended: ended.signal,
      report: (words) => cluster.parts.trace.note("faults", words),
    },
    plan.faults,
  );
  void cluster.hostile?.start();
  const everyMs = 1_000 / plan.load.perSecond;
  const count = Math.ceil(plan.load.lastsMs / everyMs);
  for (let number = 1; number <= count; number += 1) {
    const wallet = wallets[number % wallets.length];
    if (wallet === undefined) throw new Error("a plan has wallets");
    const asked = { walletId: wallet.id, to: recipient(number), amount: BigInt(number) };
    const transfer = await cluster.passing(cluster.gateway.accept(wallet, asked));
    cluster.parts.trace.note("gateway-1", `accepts transfer ${number}, ${transfer.id}`);
    accepted.push({ transfer, to: asked.to, amount: asked.amount });
    await cluster.pass(Math.max(1, number * everyMs - elapsedMs()));
  }
  ended.abort();
  cluster.hostile?.kill();
  const outcomes = await cluster.passing(faults);
  cluster.startAll();
  return outcomes;
};

/** An address that nobody else is paid at. */
const recipient = (number: number): string => `0x${(0x1000_0000 + number).toString(16).padStart(40, "0")}`;

const STAGES: Readonly<Record<Stage, readonly string[]>> = {
  accepted: ["Pending", "Executing", "Broadcasted", "Confirmed", "Failed"],
  signed: ["Executing", "Broadcasted", "Confirmed", "Failed"],
  broadcast: ["Broadcasted", "Confirmed", "Failed"],
  confirmed: ["Confirmed", "Failed"],
};

const reached = async (
  { world, observer }: SimulatedCluster,
  accepted: readonly Accepted[],
  { request, stage }: { readonly request: number; readonly stage: Stage },
  until: EndSignal,
): Promise<void> => {
  while (!until.aborted) {
    const known = accepted[request - 1];
    const row = known && (await readTransfer(observer, known.transfer.id));
    const isSigned = stage !== "signed" || row?.signedTransaction !== undefined;
    if (row !== undefined && isSigned && STAGES[stage].includes(row.status)) return;
    await world.sleep(LOOK_MS, until);
  }
};

const ENDS: readonly string[] = ["Confirmed", "Failed"];

/** @returns whether all have ended */
const untilEnded = async (cluster: SimulatedCluster, accepted: readonly Accepted[]): Promise<boolean> => {
  for (let waitedMs = 0; waitedMs < ENDS_MS; waitedMs += LOOK_MS) {
    const rows = await cluster.passing(
      Promise.all(accepted.map(({ transfer }) => readTransfer(cluster.observer, transfer.id))),
    );
    if (rows.every((row) => row !== undefined && ENDS.includes(row.status))) return true;
    await cluster.pass(LOOK_MS);
  }
  return false;
};

const resultOf = async (
  cluster: SimulatedCluster,
  plan: ChaosPlan,
  accepted: readonly Accepted[],
  outcomes: readonly FaultOutcome[],
): Promise<WorldRun> => {
  const { parts, observer, failures } = cluster;
  const node = parts.chain.chain.connect(parts.chain.entry);
  const ending = Promise.all(
    accepted.map(async ({ transfer: { id }, to, amount }): Promise<EndedTransfer> => {
      const [row, balance, events] = [
        await readTransfer(observer, id),
        await node.balance(to),
        await listEvents(observer, id),
      ];
      if (!balance.ok) throw new Error(balance.problem.message);
      return { id, status: row?.status, reason: row?.reason, amount, arrived: balance.value, events };
    }),
  );
  const transfers = await cluster.passing(ending);
  const wasRewritten = plan.faults.some(
    ({ fault }) => fault.kind === "chain" && fault.failure.kind === "reorganise",
  );
  return {
    findings: checkRun({
      transfers,
      made: parts.keys.made,
      wasRewritten,
      failures,
      seen: parts.watch.checks.found,
    }),
    outcomes,
    transfers: transfers.length,
    ...measured(cluster),
  };
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
