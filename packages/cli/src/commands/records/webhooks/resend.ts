import { setTimeout as delay } from "node:timers/promises";
import { type WebhookEvent, webhookEventIdSchema } from "@conclave/custody";
import { repeatDelivery, repeatedAttempt } from "@conclave/platform/postgres";
import { LaunchError } from "@conclave/testbed/launch";
import { UsageError } from "../../../failure/usage-error.ts";
import type { RecordsPlace } from "../../../operator/fault-records.ts";
import { withRecords } from "../../../operator/records.ts";
import { printable } from "../../../printable.ts";

const POLL_MS = 200;
/** An orchestrator looks for deliveries every second, and waits five for an answer. */
const PATIENCE_MS = 15_000;

/**
 * `conclave webhooks resend`: has a recorded event delivered to its webhook once more, and waits for the answer. An orchestrator sends it:
 * the attempt is on record, and is tried again like any other if it fails.
 * @returns whether the webhook's URL answered 200
 * @throws UsageError for a text that is no id
 */
export const resend = async (
  place: RecordsPlace,
  id: string,
  patienceMs: number = PATIENCE_MS,
): Promise<boolean> => {
  const attempt = webhookEventIdSchema.safeParse(id);
  if (!attempt.success) throw new UsageError(`"${printable(id)}" is no id of an event of a webhook`);
  const made = await withRecords(place, async (database) => {
    const repetition = await repeatDelivery(database, attempt.data);
    switch (repetition.kind) {
      case "unknown":
        throw new LaunchError(
          `no event ${id} of a webhook is on record`,
          "`conclave webhooks events` lists events with their ids; those of a deleted webhook are deleted with it.",
        );
      case "disabled":
        throw new LaunchError(
          `the webhook ${repetition.webhookId} is disabled`,
          'Enable it, with PUT /webhooks/{webhookId} {"status":"Enabled"}, and send the event again.',
        );
      case "due": {
        const until = performance.now() + patienceMs;
        let attempted: WebhookEvent | undefined;
        do {
          attempted = await repeatedAttempt(database, attempt.data, repetition.deliveryId);
          if (attempted === undefined) await delay(POLL_MS);
        } while (attempted === undefined && performance.now() < until);
        return attempted;
      }
    }
  });
  if (made === undefined) {
    throw new LaunchError(
      `${id} is due again, and no orchestrator has sent it in ${patienceMs / 1_000} s`,
      "`conclave status` shows whether one runs; it sends the event as soon as it does.",
    );
  }
  const next = made.nextAttemptDate === undefined ? "" : `, tried again at ${made.nextAttemptDate}`;
  process.stdout.write(printable(`${made.kind} is sent again as ${made.id}: answered ${made.status}${next}`));
  process.stdout.write("\n");
  return !made.deliveryFailed;
};
