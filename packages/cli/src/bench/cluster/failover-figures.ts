import type { ApiWallet, Cluster } from "@conclave/testbed";
import type { Figure } from "../figure.ts";
import type { Report } from "../progress.ts";
import { takeSamples, timed } from "../sampling.ts";
import { median } from "../statistics.ts";
import { firstSession } from "./first-session.ts";
import type { SignerLinks } from "./signer-links.ts";
import { broadcasted, sendTransfer } from "./transfer-figures.ts";

/** DESIGN.md: failover after kill -9 of a signer in mid-session */
const FAILOVER_BUDGET_MS = 1_000;
const SAMPLES = 3;
const LIMIT_MS = 20_000;
const DEADLINE_MS = 60_000;

const failOver = async (cluster: Cluster, links: SignerLinks, wallet: ApiWallet) => {
  const transfer = await sendTransfer(cluster, wallet);
  const victim = await firstSession(links.all, "signers to begin signing", () => true);
  const survivors = links.all.filter(({ id }) => id !== victim.id);
  await cluster.kill(victim.id);
  const began = performance.now();
  const left = broadcasted(cluster, transfer);
  const again = await timed(() =>
    firstSession(survivors, "a session of another quorum", ({ session }) => session !== victim.session),
  );
  await left;
  const signedMs = performance.now() - began;
  await cluster.api.confirmed(transfer, DEADLINE_MS);
  await cluster.restart(victim.id);
  await cluster.ready();
  return { againMs: again.ms, signedMs };
};

/** Measures, after kill -9 of a signing signer, the time until others take over and until the transaction is broadcast. */
export const failoverFigures = async (
  cluster: Cluster,
  links: SignerLinks,
  wallet: ApiWallet,
  report: Report,
): Promise<readonly Figure[]> => {
  const sampling = { what: "failovers", count: SAMPLES, limitMs: LIMIT_MS };
  const taken = await takeSamples(sampling, report, () => failOver(cluster, links, wallet));
  return [
    {
      name: "failover.session",
      unit: "ms",
      label: "kill -9 of a signer → session of another quorum",
      value: median(taken.map(({ againMs }) => againMs)),
      note: `median of ${taken.length}`,
    },
    {
      name: "failover.signature",
      unit: "ms",
      label: "kill -9 of a signer → signed and Broadcasted",
      value: median(taken.map(({ signedMs }) => signedMs)),
      budget: FAILOVER_BUDGET_MS,
      note: "a whole presigning by the new quorum included",
    },
  ];
};
