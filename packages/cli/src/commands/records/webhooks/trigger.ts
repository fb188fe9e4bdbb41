import { join } from "node:path";
import {
  attemptOf,
  EVENT_KINDS,
  organisationIdSchema,
  receivedAttempt,
  type WebhookId,
  webhookEventIdSchema,
  webhookIdSchema,
} from "@conclave/custody";
import { freshId, loadWebhookSecrets, makeSender } from "@conclave/platform";
import { readSealedWebhook, subscribedWebhooks } from "@conclave/platform/postgres";
import { LaunchError, readDescription, stateLayout } from "@conclave/testbed/launch";
import { absentCluster } from "../../../absent-cluster.ts";
import { UsageError } from "../../../failure/usage-error.ts";
import type { RecordsPlace } from "../../../operator/fault-records.ts";
import { withRecords } from "../../../operator/records.ts";
import { printable } from "../../../printable.ts";
import { exampleEvent } from "./example-event.ts";

type Records = Parameters<Parameters<typeof withRecords>[1]>[0];

/**
 * `conclave webhooks trigger`: sends a made-up event to a webhook, or to all of the development organisation that ask for its kind, with the
 * webhook's own signature. Nothing is recorded, and nothing else changes.
 * @returns whether every URL answered 200
 * @throws UsageError for a kind that the service does not emit, and for a text that is no id of a webhook
 */
export const trigger = async (
  place: RecordsPlace,
  named: string,
  webhook: string | undefined,
): Promise<boolean> => {
  const kind = EVENT_KINDS.find((each) => each === named);
  if (kind === undefined) {
    throw new UsageError(
      `no event of the kind "${printable(named)}" is ever sent; there are ${EVENT_KINDS.join(", ")}`,
    );
  }
  const id = webhook === undefined ? undefined : webhookIdSchema.safeParse(webhook);
  if (id?.success === false) throw new UsageError(`"${printable(webhook ?? "")}" is no id of a webhook`);
  const send = makeSender({ allowPrivateAddresses: true });
  const sendTo = async (database: Records, webhookId: WebhookId): Promise<boolean> => {
    const secrets = await loadWebhookSecrets(join(stateLayout(place.state).gateway, "webhook.key"));
    const known = await readSealedWebhook(database, webhookId);
    const secret = known && secrets.open(webhookId, known.sealedSecret);
    if (known === undefined || secret === undefined) {
      throw new LaunchError(
        `there is no webhook ${webhookId} in this cluster`,
        "`conclave webhooks list` shows those that there are.",
      );
    }
    const nowMs = Date.now();
    const made = { webhookId, firstSentMs: undefined, attempts: 0, retryOf: undefined };
    const sent = attemptOf(
      { ...made, ...exampleEvent(kind, new Date(nowMs).toISOString()) },
      freshId(webhookEventIdSchema, "wh"),
      nowMs,
    );
    const { status, deliveryFailed } = receivedAttempt(
      sent,
      await send(known.webhook.url, secret.reveal(), sent),
      nowMs,
    );
    process.stdout.write(`${printable(`${kind} ${sent.id} to ${known.webhook.url}: answered ${status}`)}\n`);
    return !deliveryFailed;
  };
  return withRecords(place, async (database) => {
    const webhooks = id === undefined ? await askingFor(database, place.state, kind) : [id.data];
    const received: boolean[] = [];
    for (const each of webhooks) received.push(await sendTo(database, each));
    return received.every((isReceived) => isReceived);
  });
};

const askingFor = async (database: Records, state: string, kind: string): Promise<readonly WebhookId[]> => {
  const description = readDescription(stateLayout(state));
  if (description === undefined) {
    const names = "Or name the webhook: `conclave webhooks trigger KIND --webhook wh-…`.";
    throw absentCluster(state, undefined, names);
  }
  const orgId = organisationIdSchema.parse(description.developer.orgId);
  const webhooks = await subscribedWebhooks(database, orgId, kind);
  if (webhooks.length > 0) return webhooks;
  throw new LaunchError(
    `no webhook asks for ${kind}`,
    "`conclave webhooks listen` makes one for as long as it runs; `--webhook` names one that asks for other kinds.",
  );
};
