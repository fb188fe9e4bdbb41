import type { TransferId } from "@conclave/custody";
import { listEvents, listFaults, readTransfer } from "@conclave/platform";
import { z } from "zod";
import type { WebhookFacts } from "../check/check-deliveries.ts";
import type { RunFacts } from "../check/check-run.ts";
import type { EndedTransfer } from "../check/ended-transfer.ts";
import type { BlameFacts } from "../check/inv-7.ts";
import type { AskedTransfer } from "../client/client-process.ts";
import { type OwnWebhook, webhookFacts } from "../webhook/webhook-facts.ts";
import type { LoadRun } from "./load.ts";
import type { SimulatedCluster } from "./simulated-cluster.ts";

/** Reads all by which a run is judged, once its cluster has ended what it accepted, or had the time to. */
export const factsOf = async (
  cluster: SimulatedCluster,
  { webhook }: LoadRun,
  { hasEnded, wasRewritten }: { readonly hasEnded: boolean; readonly wasRewritten: boolean },
): Promise<RunFacts> => {
  const { parts, client, failures } = cluster;
  const { asked } = client;
  const ending = Promise.all(asked.flatMap((each) => [...each.ids].map((id) => endOf(cluster, each, id))));
  return {
    asked,
    transfers: await cluster.passing(ending),
    webhooks: hasEnded ? await deliveriesOf(cluster, webhook) : [],
    stored: await cluster.passing(storedTransfers(cluster)),
    blame: await cluster.passing(blameIn(cluster)),
    made: parts.keys.made,
    wasRewritten,
    failures,
    seen: parts.watch.checks.found,
    unnoticed: cluster.signers.filter((signer) => signer.hasLostEntry && signer.world !== undefined),
  };
};

export const deliveriesOf = async (
  cluster: SimulatedCluster,
  webhook: OwnWebhook | undefined,
): Promise<readonly WebhookFacts[]> => {
  const { observer, parts } = cluster;
  if (webhook === undefined) return [];
  return [await cluster.passing(webhookFacts(observer, parts.endpoints, webhook))];
};

const storedSchema = z.object({ id: z.string() });

/** The ids of all transfers in the database. */
const storedTransfers = async ({ observer }: SimulatedCluster): Promise<readonly string[]> =>
  (await observer.rows(storedSchema, "select id from chain_requests order by id")).map(({ id }) => id);

/** The prefix of the entries by which a signer signs nothing with a peer. */
const QUARANTINE = "record/quarantine/";

const blameIn = async ({ observer, signers, parts }: SimulatedCluster): Promise<BlameFacts> => ({
  faults: await listFaults(observer, (fault) => fault),
  quarantines: signers.flatMap(({ name: signer, disk }) =>
    [...disk.copy().table.keys()]
      .filter((entry) => entry.startsWith(QUARANTINE))
      .map((entry) => ({ signer, entry })),
  ),
  reached: parts.watch.reached.counts,
});

const endOf = async (
  { parts: { chain }, observer }: SimulatedCluster,
  { to, amount }: AskedTransfer,
  id: TransferId,
): Promise<EndedTransfer> => {
  const node = chain.chain.connect(chain.entry);
  const [row, balance, events] = [
    await readTransfer(observer, id),
    await node.balance(to),
    await listEvents(observer, id),
  ];
  if (!balance.ok) throw new Error(balance.problem.message);
  return { id, status: row?.status, reason: row?.reason, amount, arrived: balance.value, events };
};
