import { setMaxListeners } from "node:events";
import { type ChaosPlan, carryOut, type FaultOutcome, type Load, type Stage } from "@conclave/chaos";
import type { ChainWallet, EndSignal } from "@conclave/custody";
import { readTransfer } from "@conclave/platform";
import type { WorldChain } from "../chain/world-chain.ts";
import type { AskedTransfer, ClientProcess } from "../client/client-process.ts";
import { SimulatedInjector } from "../fault/simulated-injector.ts";
import type { OwnWebhook } from "../webhook/webhook-facts.ts";
import { hopelessLoad } from "./hopeless-load.ts";
import type { SimulatedCluster } from "./simulated-cluster.ts";

const LOOK_MS = 250;
const WALLETS_MS = 60_000;

/** One in so many transfers is of the other organisation: the fourth, the twelfth and so on. */
const OTHERS_EVERY = 8;
const OTHERS_FIRST = 4;
/** With one in so many transfers a client asks for what must be refused, or for its lists: each takes a part of a world's time. */
const HOPELESS_EVERY = 2;

/** The kinds of event that a client's webhook is subscribed to. */
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
  /** of each client one, or none at all */
  readonly webhooks: readonly OwnWebhook[];
}

/**
 * Has the clients ask for wallets and, while the faults of the plan happen, for transfers, and for what has to be refused; then heals the
 * cluster. The clients may still wait for answers.
 * @param hasWebhook whether each client first makes a webhook
 */
export const load = async (
  cluster: SimulatedCluster,
  plan: ChaosPlan,
  hasWebhook: boolean,
): Promise<LoadRun> => {
  const { clients } = cluster;
  const webhooks = hasWebhook
    ? await cluster.passing(Promise.all(clients.map((client) => client.createWebhook([...KINDS]))))
    : [];
  const payers = await makeWallets(cluster, plan.load);
  return { webhooks, outcomes: await pay(cluster, plan, { payers, webhooks }) };
};

const pay = async (
  cluster: SimulatedCluster,
  plan: ChaosPlan,
  { payers, webhooks }: { readonly payers: readonly Payers[]; readonly webhooks: readonly OwnWebhook[] },
): Promise<readonly FaultOutcome[]> => {
  const { world, parts } = cluster;
  const askHopeless = hopelessLoad(cluster, webhooks);
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
  const count = countOf(plan.load);
  for (let number = 1; number <= count; number += 1) {
    askForPayment(cluster, payers, number);
    if (number % HOPELESS_EVERY === 0) askHopeless();
    await cluster.pass(Math.max(1, number * everyMs(plan.load) - elapsedMs()));
  }
  ended.abort();
  cluster.hostile?.kill();
  const outcomes = await cluster.passing(faults);
  cluster.heal();
  return outcomes;
};

/** The client of a request, by the request's number from 1. */
const askerOf = ({ client, otherClient }: SimulatedCluster, number: number): ClientProcess =>
  number % OTHERS_EVERY === OTHERS_FIRST ? otherClient : client;

/** The record of a request, by its number; undefined before it was asked for. */
const askedAs = (cluster: SimulatedCluster, number: number): AskedTransfer | undefined => {
  const asker = askerOf(cluster, number);
  const before = Array.from({ length: number - 1 }, (_, at) => askerOf(cluster, at + 1));
  return asker.asked[before.filter((each) => each === asker).length];
};

const everyMs = ({ perSecond }: Load): number => 1_000 / perSecond;
const countOf = (load: Load): number => Math.ceil(load.lastsMs / everyMs(load));

/** The wallets of one chain, by client. */
interface Payers {
  readonly chain: WorldChain;
  readonly wallets: ReadonlyMap<ClientProcess, readonly ChainWallet[]>;
}

/**
 * The transfers take turns between the networks, and those of a network between the wallets of their client. The turns shift with each
 * transfer of the other organisation, so that it pays on each network.
 */
const askForPayment = (cluster: SimulatedCluster, payers: readonly Payers[], number: number): void => {
  const asker = askerOf(cluster, number);
  const turn = payers[(number + Math.floor(number / OTHERS_EVERY)) % payers.length];
  const wallets = turn?.wallets.get(asker) ?? [];
  const wallet = wallets[Math.floor(number / payers.length) % wallets.length];
  if (turn === undefined || wallet === undefined) throw new Error("a client has a wallet on each network");
  const asking = asker.transfer({ wallet, ...turn.chain.payment(number) });
  asking.catch((error: unknown) => cluster.parts.failed(asker.name, error));
};

/** As many wallets of the first client on each network as the load says, and one of the other, with what their transfers need. */
const makeWallets = async (cluster: SimulatedCluster, load: Load): Promise<readonly Payers[]> => {
  const { client, otherClient, parts } = cluster;
  const walletsOf = (owner: ClientProcess, chain: WorldChain, count: number) =>
    Promise.all(Array.from({ length: count }, () => owner.createWallet(chain)));
  const payersOn = async (chain: WorldChain): Promise<Payers> => {
    const [own, others] = await Promise.all([
      walletsOf(client, chain, load.wallets),
      walletsOf(otherClient, chain, 1),
    ]);
    const wallets = new Map([
      [client, own],
      [otherClient, others],
    ]);
    return { chain, wallets };
  };
  const payers = await cluster.passing(Promise.all(parts.chains.map(payersOn)), WALLETS_MS);
  const payments = Math.ceil(countOf(load) / parts.chains.length / load.wallets);
  for (const { chain, wallets } of payers)
    chain.fund(
      [...wallets.values()].flat().map(({ address }) => address),
      payments,
    );
  return payers;
};

const STAGES: Readonly<Record<Stage, readonly string[]>> = {
  accepted: ["Pending", "Executing", "Broadcasted", "Confirmed", "Failed"],
  signed: ["Executing", "Broadcasted", "Confirmed", "Failed"],
  broadcast: ["Broadcasted", "Confirmed", "Failed"],
  confirmed: ["Confirmed", "Failed"],
};

const reached = async (
  cluster: SimulatedCluster,
  { request, stage }: { readonly request: number; readonly stage: Stage },
  until: EndSignal,
): Promise<void> => {
  const { world, observer } = cluster;
  while (!until.aborted) {
    const [id] = askedAs(cluster, request)?.ids ?? [];
    const row = id && (await readTransfer(observer, id));
    const isSigned = stage !== "signed" || row?.signedTransaction !== undefined;
    if (row !== undefined && isSigned && STAGES[stage].includes(row.status)) return;
    await world.sleep(LOOK_MS, until);
  }
};
