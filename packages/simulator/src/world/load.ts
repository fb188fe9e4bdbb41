import { setMaxListeners } from "node:events";
import { type ChaosPlan, carryOut, type FaultOutcome, type Stage } from "@conclave/chaos";
import type { ChainWallet, EndSignal } from "@conclave/custody";
import { readTransfer } from "@conclave/platform";
import { SimulatedInjector } from "../fault/simulated-injector.ts";
import type { OwnWebhook } from "../webhook/webhook-facts.ts";
import type { SimulatedCluster } from "./simulated-cluster.ts";

const LOOK_MS = 250;
const WALLETS_MS = 60_000;
const FUNDS = 10n ** 24n;

/** The kinds of event that the client's webhook is subscribed to. */
const KINDS = [
  "wallet.created",
  "wallet.transfer.requested",
  "wallet.transfer.broadcasted",
  "wallet.transfer.confirmed",
  "wallet.transfer.failed",
] as const;

/** The outcome of a load. */
export interface LoadRun {
  readonly outcomes: readonly FaultOutcome[];
  /** undefined where the load has none */
  readonly webhook: OwnWebhook | undefined;
}

/**
 * Has the client ask for wallets and, while the faults of the plan happen, for transfers; then heals the cluster. The client may still
 * wait for answers.
 * @param hasWebhook whether the client first makes a webhook
 */
export const load = async (
  cluster: SimulatedCluster,
  plan: ChaosPlan,
  hasWebhook: boolean,
): Promise<LoadRun> => {
  const { client } = cluster;
  const webhook = hasWebhook ? await cluster.passing(client.createWebhook([...KINDS])) : undefined;
  const wallets = await makeWallets(cluster, plan.load.wallets);
  return { webhook, outcomes: await pay(cluster, plan, wallets) };
};

const pay = async (
  cluster: SimulatedCluster,
  plan: ChaosPlan,
  wallets: readonly ChainWallet[],
): Promise<readonly FaultOutcome[]> => {
  const { world, client, parts } = cluster;
  const ended = new AbortController();
  // each fault waits for the end, and Node warns of a leak where more than ten do
  setMaxListeners(plan.faults.length + 1, ended.signal);
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
      reached: (request, stage, until) => reached(cluster, { request, stage }, until),
      ended: ended.signal,
      report: (words) => parts.trace.note("faults", words),
    },
    plan.faults,
  );
  cluster.beginFaults();
  void cluster.hostile?.start();
  const everyMs = 1_000 / plan.load.perSecond;
  const count = Math.ceil(plan.load.lastsMs / everyMs);
  for (let number = 1; number <= count; number += 1) {
    const wallet = wallets[number % wallets.length];
    if (wallet === undefined) throw new Error("a plan has wallets");
    const asking = client.transfer({ wallet, to: recipient(number), amount: BigInt(number) });
    asking.catch((error: unknown) => parts.failed("client", error));
    await cluster.pass(Math.max(1, number * everyMs - elapsedMs()));
  }
  ended.abort();
  cluster.hostile?.kill();
  const outcomes = await cluster.passing(faults);
  cluster.heal();
  return outcomes;
};

const makeWallets = async (cluster: SimulatedCluster, count: number): Promise<readonly ChainWallet[]> => {
  const { client, parts } = cluster;
  const making = Promise.all(Array.from({ length: count }, () => client.createWallet()));
  const wallets = await cluster.passing(making, WALLETS_MS);
  for (const { address } of wallets) parts.chain.chain.fund(address, FUNDS);
  return wallets;
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
  { world, observer, client }: SimulatedCluster,
  { request, stage }: { readonly request: number; readonly stage: Stage },
  until: EndSignal,
): Promise<void> => {
  while (!until.aborted) {
    const [id] = client.asked[request - 1]?.ids ?? [];
    const row = id && (await readTransfer(observer, id));
    const isSigned = stage !== "signed" || row?.signedTransaction !== undefined;
    if (row !== undefined && isSigned && STAGES[stage].includes(row.status)) return;
    await world.sleep(LOOK_MS, until);
  }
};
