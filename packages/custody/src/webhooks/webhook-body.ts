import { z } from "zod";
import { EVENT_KINDS } from "../event.ts";
import { isPlainText, shortText } from "../text.ts";

const URL_LENGTH = 2_048;
const DESCRIPTION_LENGTH = 256;

/** Kinds that client libraries know and that this service never emits: a webhook may subscribe to them. */
const OTHER_KINDS = [
  "wallet.activated",
  "wallet.offer.received",
  "wallet.offer.accepted",
  "wallet.offer.rejected",
  "wallet.offer.withdrawn",
  "wallet.blockchain_event.transfer.included",
  "wallet.blockchain_event.misc.confirmed",
  "vault.created",
  "vault.updated",
  "vault.tags.modified",
  "vault.event.created",
  "address_watch.blockchain_event.misc.confirmed",
  "payout.action.required",
  "allocation.action.created",
  "allocation.action.completed",
  "allocation.action.failed",
  "swap.requested",
  "swap.rejected",
  "swap.completed",
  "swap.failed",
] as const;

export const WEBHOOK_EVENT_KINDS = [...EVENT_KINDS, ...OTHER_KINDS] as const;

const url = z
  .url({ protocol: /^https?$/, error: "is not an http or https URL" })
  .max(URL_LENGTH)
  .refine(isPlainText, { error: "holds characters that cannot be stored" })
  // URL parsers skip surplus slashes, so the host would not be where it seems
  .refine((text) => /^https?:\/\/[^/\\]/i.test(text), { error: "is not an http or https URL" })
  .refine((text) => !/^[a-z]+:\/\/[^/\\?#]*@/i.test(text), { error: "names a user or a password" });

const kind = z.enum([...WEBHOOK_EVENT_KINDS, "*"]);
const events = z
  .array(kind)
  .min(1)
  .max(WEBHOOK_EVENT_KINDS.length + 1)
  .refine((kinds) => new Set(kinds).size === kinds.length, { error: "names a kind twice" });

export const WEBHOOK_STATUSES = ["Enabled", "Disabled"] as const;
const status = z.enum(WEBHOOK_STATUSES);
const description = z.union([z.literal(""), shortText(DESCRIPTION_LENGTH)]);

/** The body of POST /webhooks (wire interface, section D.1). */
export const createWebhookBodySchema = z.strictObject({
  url,
  events,
  status: status.optional(),
  description: description.optional(),
});
export type CreateWebhookBody = z.infer<typeof createWebhookBodySchema>;

/** The body of PUT /webhooks/{webhookId}: absent fields stay unchanged. */
export const updateWebhookBodySchema = z.strictObject({
  url: url.optional(),
  events: events.optional(),
  status: status.optional(),
  description: description.optional(),
});
export type UpdateWebhookBody = z.infer<typeof updateWebhookBodySchema>;
