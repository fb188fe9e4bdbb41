import { mkdirSync, mkdtempSync } from "node:fs";
import { join } from "node:path";
import { type Cluster, clustersFolder, createCluster, forgetState } from "@conclave/testbed";
import type { Figure, Section } from "../figure.ts";
import { idleFigures, memoryFigures } from "../machine/resource-figures.ts";
import type { Report } from "../progress.ts";
import { timed } from "../sampling.ts";
import { failoverFigures } from "./failover-figures.ts";
import { familyFigures } from "./family-figures.ts";
import { messageFigures } from "./message-figures.ts";
import { pooledFigures } from "./pooled-figures.ts";
import { restFigures } from "./rest-figures.ts";
import { SignerLinks } from "./signer-links.ts";
import { signingFigures } from "./signing-figures.ts";
import { stockFigures } from "./stock-figures.ts";
import { transferFigures } from "./transfer-figures.ts";

/** DESIGN.md: ready after the first start, with real parameters, and after later ones */
const FIRST_START_BUDGET_S = 60;
const LATER_START_BUDGET_S = 5;
const TEN_ETHER = 10n ** 19n;
/**
 * the five sets of signers have six presignatures each, so 30 fill the pool; then no presigning runs beside the measured
 * work
 */
const STOCK_OF_A_SET = 6;

const throwAwayFolder = (): string => {
  const parent = clustersFolder();
  mkdirSync(parent, { recursive: true });
  return mkdtempSync(join(parent, "bench-"));
};

const measureAtWork = async (cluster: Cluster, report: Report): Promise<readonly Section[]> => {
  const { threshold, signers, chain } = cluster.description;
  const made = await timed(() => cluster.api.createWallet(chain.network, "bench"));
  const wallet = made.result;
  report("key generation is measured");
  await cluster.chain.setBalance(wallet.address, TEN_ETHER);
  using links = await SignerLinks.open(cluster);
  const signing = await signingFigures(cluster, links, wallet, report);
  const messages = await messageFigures(cluster, links, report);
  const pooled = await pooledFigures(cluster, links, wallet, report);
  const transfers = await transferFigures(cluster, wallet, report);
  const rest = await restFigures(cluster, wallet, report);
  const memory = memoryFigures(cluster);
  report("the cluster stands idle for a while");
  const idle = await idleFigures(cluster);
  const failover = await failoverFigures(cluster, links, wallet, report);
  const keygen: Figure = {
    name: "keygen.wall",
    unit: "ms",
    label: `POST /wallets: a key by ${signers.length} signers`,
    value: made.ms,
  };
  return [
    {
      title: `Cluster, ${threshold} of ${signers.length} signers, one machine: wall clock`,
      figures: [keygen, ...signing, ...messages, ...pooled, ...transfers, ...rest, ...failover],
    },
    { title: "Cluster: resident memory and idle CPU", figures: [...memory, ...idle] },
  ];
};

const measureStock = async (cluster: Cluster, report: Report): Promise<readonly Figure[]> => {
  const wallet = await cluster.api.createWallet(cluster.description.chain.network, "stock");
  await cluster.chain.setBalance(wallet.address, TEN_ETHER);
  return stockFigures(cluster, wallet, report);
};

/** Rejects once the signal is aborted. */
const aborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });

/** @param presignatures pool size that the orchestrator keeps for each set of signers */
const start = (state: string, presignatures: number, report: Report, signal: AbortSignal) =>
  timed(() =>
    createCluster({
      state,
      presignatures,
      networks: "all",
      ports: "free",
      requestsPerMinute: 0,
      signal,
      onProgress: ({ kind, text }) => {
        if (kind !== "process") report(text);
      },
    }),
  );

const startFigures = (firstMs: number, laterMs: number): Section => ({
  title: "Start of the whole cluster, until its signers can sign: wall clock",
  figures: [
    {
      name: "start.first",
      unit: "s",
      label: "first start",
      value: firstMs / 1000,
      budget: FIRST_START_BUDGET_S,
      note: "primes and auxiliary generation of all signers on this one machine",
    },
    {
      name: "start.later",
      unit: "s",
      label: "later start",
      value: laterMs / 1000,
      budget: LATER_START_BUDGET_S,
    },
  ],
});

/**
 * Measures a temporary cluster of real processes at real parameters, and deletes its state at the end. Figures are
 * yielded as they are measured, so a failure of a later part loses none.
 */
export async function* clusterFigures(report: Report, signal: AbortSignal): AsyncGenerator<Section> {
  const state = throwAwayFolder();
  try {
    report("a throw-away cluster starts for the first time: it makes its primes");
    const first = await start(state, 0, report, signal);
    try {
      yield* await Promise.race([measureAtWork(first.result, report), aborted(signal)]);
    } finally {
      await first.result.stop();
    }
    report("the cluster starts again");
    const later = await start(state, STOCK_OF_A_SET, report, signal);
    yield startFigures(first.ms, later.ms);
    try {
      const stock = await Promise.race([measureStock(later.result, report), aborted(signal)]);
      yield { title: "Cluster: signed from the stock", figures: stock };
      const families = await Promise.race([familyFigures(later.result, report), aborted(signal)]);
      yield { title: "Chain families, on their local nodes: wall clock, and memory", figures: families };
    } finally {
      await later.result.stop();
    }
  } finally {
    forgetState(state);
  }
}
