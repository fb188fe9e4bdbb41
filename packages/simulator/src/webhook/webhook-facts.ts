import type { OrganisationId, WebhookId } from "@conclave/custody";
import type { Connection } from "@conclave/platform";
import { z } from "zod";
import type { Happening, WebhookFacts } from "../check/check-deliveries.ts";
import type { SimulatedEndpoints } from "./simulated-endpoints.ts";

/** A webhook that a client made. */
export interface OwnWebhook {
  readonly id: WebhookId;
  readonly orgId: OrganisationId;
  readonly url: string;
  readonly secret: string;
  readonly kinds: readonly string[];
}

const happeningSchema = z
  .object({ kind: z.string(), date: z.date(), data: z.record(z.string(), z.unknown()) })
  .transform(({ date, ...rest }): Happening => ({ ...rest, date: date.toISOString() }));

/** Reads the events of a webhook's organisation, and all that concerns its deliveries. */
export const webhookFacts = async (
  connection: Connection,
  endpoints: SimulatedEndpoints,
  { id, orgId, url, secret, kinds }: OwnWebhook,
): Promise<WebhookFacts> => {
  const read = (text: string, value: string) => connection.rows(happeningSchema, text, [value]);
  return {
    orgId,
    secret,
    kinds,
    heard: endpoints.heardAt(url),
    events: await read("select kind, date, data from events where org_id = $1", orgId),
    due: await read("select kind, date, data from webhook_deliveries where webhook_id = $1", id),
  };
};
