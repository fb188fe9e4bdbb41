import type { TransferId } from "@conclave/custody";
import { listEvents, listFaults, readTransfer } from "@conclave/platform";
import { z } from "zod";
import { chainServing } from "../chain/world-chains.ts";
import type { WebhookFacts } from "../check/check-deliveries.ts";
import type { RunFacts } from "../check/check-run.ts";
import type { EndedTransfer } from "../check/ended-transfer.ts";
import type { BlameFacts } from "../check/inv-7.ts";
import type { MadeRow } from "../check/inv-9.ts";
import type { SaidText } from "../check/inv-10.ts";
import type { HeardText, Owner } from "../check/inv-11.ts";
import type { AskedTransfer, ClientProcess } from "../client/client-process.ts";
import { type OwnWebhook, webhookFacts } from "../webhook/webhook-facts.ts";
import type { LoadRun } from "./load.ts";
import { saidAtEnd } from "./said-at-end.ts";
import { secretsOf } from "./secrets-of-world.ts";
import type { SimulatedCluster } from "./simulated-cluster.ts";

/** Reads all by which a run is judged, once its cluster has ended what it accepted, or had the time to. */
export const factsOf = async (
  cluster: SimulatedCluster,
  { webhooks }: LoadRun,
  { hasEnded }: { readonly hasEnded: boolean },
): Promise<RunFacts> => {
  const { parts, asked, clients, failures } = cluster;
  const ending = Promise.all(asked.flatMap((each) => [...each.ids].map((id) => endOf(cluster, each, id))));
  const deliveries = await deliveriesOf(cluster, webhooks);
  const heard = [...clients.flatMap((client) => client.heard), ...deliveries.flatMap(heardBy)];
  return {
    asked,
    transfers: await cluster.passing(ending),
    webhooks: hasEnded ? deliveries : [],
    tried: clients.flatMap(({ tried }) => tried),
    heard,
    owners: clients.map((client) => ownerOf(client, webhooks)),
    rows: await cluster.passing(madeRows(cluster)),
    stored: await cluster.passing(storedTransfers(cluster)),
    blame: await cluster.passing(blameIn(cluster)),
    secrets: secretsOf(cluster, webhooks),
    said: [...parts.watch.said.all, ...saidAtEnd(cluster), ...heard.map(saidTo)],
    made: parts.keys.made,
    failures,
    seen: parts.watch.checks.found,
    unnoticed: cluster.signers.filter((signer) => signer.hasLostEntry && signer.world !== undefined),
  };
};

export const deliveriesOf = async (
  cluster: SimulatedCluster,
  webhooks: readonly OwnWebhook[],
): Promise<readonly WebhookFacts[]> => {
  const { observer, parts } = cluster;
  const reading = webhooks.map((webhook) => webhookFacts(observer, parts.endpoints, webhook));
  return cluster.passing(Promise.all(reading));
};

const heardBy = (facts: WebhookFacts): readonly HeardText[] =>
  facts.heard.map(({ body }) => ({ orgId: facts.orgId, asked: "events", text: body }));

const saidTo = ({ orgId, asked, text }: HeardText): SaidText => ({
  where: `what ${orgId} heard of ${asked}`,
  text,
});

/** All that a client knows to be its organisation's. */
const ownerOf = (
  { organisation: { id: orgId, administrator }, wallets, asked }: ClientProcess,
  webhooks: readonly OwnWebhook[],
): Owner => ({
  orgId,
  ids: [
    orgId,
    administrator,
    ...wallets.flatMap(({ id, keyId, address }) => [id, keyId, address]),
    ...asked.flatMap(({ ids }) => [...ids]),
    ...webhooks.filter((webhook) => webhook.orgId === orgId).map(({ id }) => id),
  ],
});

const storedSchema = z.object({ id: z.string() });

/** The ids of all transfers in the database. */
const storedTransfers = async ({ observer }: SimulatedCluster): Promise<readonly string[]> =>
  (await observer.rows(storedSchema, "select id from chain_requests order by id")).map(({ id }) => id);

/** Rows that requests make, but for those of transfers. */
const ROWS: Readonly<Record<string, string>> = {
  wallets: "select id from wallets",
  keys: "select id from keys",
  events: "select entity_id as id from events",
};

const madeRows = async ({ observer }: SimulatedCluster): Promise<readonly MadeRow[]> => {
  const reading = Object.entries(ROWS).map(async ([table, text]) =>
    (await observer.rows(storedSchema, text)).map(({ id }) => ({ table, id })),
  );
  return (await Promise.all(reading)).flat();
};

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
  { parts: { chains, watch }, observer }: SimulatedCluster,
  { wallet, to, amount }: AskedTransfer,
  id: TransferId,
): Promise<EndedTransfer> => {
  const [row, arrived, events] = [
    await readTransfer(observer, id),
    await chainServing(chains, wallet.network).arrived(to),
    await listEvents(observer, id),
  ];
  const undone = watch.undone.of(to);
  return { id, status: row?.status, reason: row?.reason, amount, arrived, undone, events };
};
