import { createHmac, timingSafeEqual } from "node:crypto";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { text } from "node:stream/consumers";
import { z } from "zod";
import type { Chance } from "./chance.ts";
import type { HeardDelivery } from "./history.ts";

const deliverySchema = z.object({
  kind: z.string(),
  date: z.string(),
  /** the resource by its own name, such as `{ transferRequest }` */
  data: z.record(z.string(), z.unknown()),
});
const resourceSchema = z.looseObject({ id: z.string() });

/** The id of the resource in an event's data. */
export const resourceIdIn = (data: Readonly<Record<string, unknown>>): string => {
  const [resource] = Object.values(data);
  return resourceSchema.safeParse(resource).data?.id ?? "";
};

/**
 * The data of an event as canonical text: equal contents give equal texts, even if a database or library orders the members
 * differently.
 */
export const contentText = (data: unknown): string =>
  JSON.stringify(data, (_name, value: unknown) =>
    typeof value === "object" && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
      : value,
  );

/** Whether the signature is the HMAC of exactly these bytes under the webhook's secret (docs/webhooks.md). */
export const isDeliverySigned = (body: string, signature: string, secret: string): boolean => {
  const expected = Buffer.from(`sha256=${createHmac("sha256", secret).update(body).digest("hex")}`);
  const given = Buffer.from(signature);
  return given.length === expected.length && timingSafeEqual(given, expected);
};

/** A webhook endpoint in the test process that records every delivery, and answers some with 500. */
export class WebhookEar {
  readonly #server: Server;
  readonly #heard: HeardDelivery[] = [];
  /** the webhook's secret, set before the first delivery */
  secret = "";

  private constructor(chance: Chance, refused: number) {
    this.#server = createServer(async (request, response) => {
      const body = await text(request);
      const answered = chance() < refused ? 500 : 200;
      this.#note(body, String(request.headers["x-dfns-webhook-signature"]), answered);
      response.writeHead(answered).end("{}");
    });
  }

  /** @param refused the share of deliveries that is answered with 500 */
  static async listen(chance: Chance, refused: number): Promise<WebhookEar> {
    const ear = new WebhookEar(chance, refused);
    ear.#server.listen(0, "127.0.0.1");
    await once(ear.#server, "listening");
    return ear;
  }

  get url(): string {
    const address = this.#server.address();
    if (address === null || typeof address === "string") throw new Error("the receiver does not listen");
    return `http://127.0.0.1:${address.port}/events`;
  }

  get heard(): readonly HeardDelivery[] {
    return this.#heard;
  }

  #note(body: string, signature: string, answered: 200 | 500): void {
    const parsed = deliverySchema.safeParse(jsonOf(body));
    const { kind, date, data } = parsed.data ?? { kind: "unreadable", date: "", data: {} };
    const isSignedRight = isDeliverySigned(body, signature, this.secret);
    const resourceId = resourceIdIn(data);
    this.#heard.push({ kind, date, resourceId, content: contentText(data), isSignedRight, answered });
  }

  async close(): Promise<void> {
    this.#server.close();
    this.#server.closeAllConnections();
    await once(this.#server, "close");
  }
}

const jsonOf = (body: string): unknown => {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
};
