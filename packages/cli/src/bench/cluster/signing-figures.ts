import type { ApiWallet, Cluster } from "@conclave/testbed";
import type { Figure } from "../figure.ts";
import { untilQuiet } from "../machine/resource-figures.ts";
import type { Report } from "../progress.ts";
import { takeSamples, timed } from "../sampling.ts";
import { mean, quantile } from "../statistics.ts";
import { directSigning } from "./direct-signing.ts";
import type { SignerLinks } from "./signer-links.ts";

const SAMPLES = 20;
const LIMIT_MS = 35_000;
const MASKED_SIGNATURES = 2;

/** CPU that each signer of the quorum has used since it started, in milliseconds. */
export const cpuOf = async (links: SignerLinks, ids: readonly string[]): Promise<number> => {
  const statuses = await links.statuses();
  const used = statuses.filter(({ id }) => ids.includes(id)).map(({ cpuMicroseconds }) => cpuMicroseconds);
  return used.reduce((sum, microseconds) => sum + microseconds, 0) / 1000;
};

/** Makes as many signatures as idle signers have masks for, so that no signature waits for masks. */
const afterIdleTime = async (cluster: Cluster, sign: () => Promise<void>): Promise<readonly number[]> => {
  await untilQuiet(cluster);
  const taken: number[] = [];
  while (taken.length < MASKED_SIGNATURES) taken.push((await timed(sign)).ms);
  return taken;
};

/**
 * Measures interactive signatures (presigning and the online round in one session), requested from one quorum over Control, one
 * after the other.
 */
export const signingFigures = async (
  cluster: Cluster,
  links: SignerLinks,
  wallet: ApiWallet,
  report: Report,
): Promise<readonly Figure[]> => {
  const quorum = links.all.slice(0, cluster.description.threshold);
  const ids = quorum.map(({ id }) => id);
  const sign = await directSigning(cluster, wallet, quorum);
  const first = await timed(() => sign());
  const before = await cpuOf(links, ids);
  const sampling = { what: "interactive signatures", count: SAMPLES, limitMs: LIMIT_MS };
  const taken = await takeSamples(sampling, report, async () => (await timed(() => sign())).ms);
  const cpuMs = ((await cpuOf(links, ids)) - before) / taken.length / quorum.length;
  const ready = await afterIdleTime(cluster, sign);
  const note = `${taken.length} signatures by ${ids.join(", ")} over Control`;
  return [
    { name: "signature.first", unit: "ms", label: "first signature of a fresh cluster", value: first.ms },
    {
      name: "signature.p50",
      unit: "ms",
      label: "interactive signature, p50",
      value: quantile(taken, 0.5),
      note,
    },
    {
      name: "signature.ready",
      unit: "ms",
      label: "interactive signature after idle time",
      value: mean(ready),
      note: `mean of ${ready.length} signatures; the masks of presigning were made ahead`,
    },
    { name: "signature.p99", unit: "ms", label: "interactive signature, p99", value: quantile(taken, 0.99) },
    {
      name: "signature.cpu",
      unit: "ms",
      label: "CPU of one signer for one signature",
      value: cpuMs,
      note: "the whole process: presigning, signed and echoed messages, gRPC, synced writes",
    },
  ];
};
