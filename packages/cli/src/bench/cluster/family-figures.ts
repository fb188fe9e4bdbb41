import type { Cluster } from "@conclave/testbed";
import { type AnyWallet, FAMILY_DRIVERS, type FamilyDriver, makeWallet } from "@conclave/testbed/families";
import type { Figure } from "../figure.ts";
import { residentMb } from "../machine/resource-figures.ts";
import type { Report } from "../progress.ts";
import { takeSamples, timed } from "../sampling.ts";
import { quantile } from "../statistics.ts";

const SAMPLES = 5;
const LIMIT_MS = 60_000;
const COINS = "1000";

/** Times one transfer of the native coin, from its request to its broadcast. */
const timeTransfer = async (driver: FamilyDriver, wallet: AnyWallet) => {
  const { body } = driver.native(2n * driver.least);
  const sent = await timed(() => wallet.transfer(body));
  const left = await timed(() => wallet.until(sent.result, ({ txHash }) => txHash !== undefined));
  const landed = await timed(() => wallet.until(sent.result, ({ status }) => status === "Confirmed"));
  return { broadcastMs: sent.ms + left.ms, confirmedMs: sent.ms + left.ms + landed.ms };
};

const figuresOf = async (
  cluster: Cluster,
  driver: FamilyDriver,
  report: Report,
): Promise<readonly Figure[]> => {
  const { network } = driver;
  const started = await timed(() => cluster.startNode(network));
  const wallet = await makeWallet(cluster, network, COINS);
  const sampling = { what: `transfers on ${network}`, count: SAMPLES, limitMs: LIMIT_MS };
  const taken = await takeSamples(sampling, report, () => timeTransfer(driver, wallet));
  const median = (values: readonly number[]): number => quantile(values, 0.5);
  return [
    {
      name: `family.${network}.start`,
      unit: "ms",
      label: `${network}: its node starts`,
      value: started.ms,
    },
    {
      name: `family.${network}.broadcasted.p50`,
      unit: "ms",
      label: `${network}: POST a transfer → broadcast, p50`,
      value: median(taken.map(({ broadcastMs }) => broadcastMs)),
      note: `${taken.length} transfers, one after the other`,
    },
    {
      name: `family.${network}.confirmed.p50`,
      unit: "ms",
      label: `${network}: POST a transfer → Confirmed, p50`,
      value: median(taken.map(({ confirmedMs }) => confirmedMs)),
      note: "its local node's block time included",
    },
    {
      name: `family.${network}.memory`,
      unit: "MB",
      label: `${network}: memory of its node`,
      value: residentMb(cluster, `ledger-${network}`),
    },
  ];
};

/** Measures one network of each family whose local node is a simulated ledger. */
export const familyFigures = async (cluster: Cluster, report: Report): Promise<readonly Figure[]> => {
  const figures: Figure[] = [];
  for (const driver of FAMILY_DRIVERS) figures.push(...(await figuresOf(cluster, driver, report)));
  return figures;
};
