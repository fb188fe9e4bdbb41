import { createHmac, timingSafeEqual } from "node:crypto";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { text } from "node:stream/consumers";
import { z } from "zod";

const TOLERANCE_S = 300;

const eventSchema = z.looseObject({
  id: z.string(),
  kind: z.string(),
  timestampSent: z.number(),
  data: z.looseObject({}),
});
export type ReceivedEvent = z.infer<typeof eventSchema>;

/**
 * The event of a delivery, verified by the vendor's documented method: an HMAC of the body parsed and serialised again, and a
 * recent time. Throws otherwise.
 */
export const verifyDelivery = (body: string, signature: string, secret: string): ReceivedEvent => {
  const payload: unknown = JSON.parse(body);
  const expected = `sha256=${createHmac("sha256", secret).update(JSON.stringify(payload)).digest("hex")}`;
  const [given, wanted] = [Buffer.from(signature), Buffer.from(expected)];
  if (given.length !== wanted.length || !timingSafeEqual(given, wanted)) throw new Error("a wrong signature");
  const event = eventSchema.parse(payload);
  if (Math.abs(Date.now() / 1_000 - event.timestampSent) > TOLERANCE_S) throw new Error("an old delivery");
  return event;
};

/** A webhook endpoint that keeps its deliveries. */
export class WebhookReceiver implements AsyncDisposable {
  readonly #server: Server;
  readonly #deliveries: { readonly body: string; readonly signature: string }[] = [];

  private constructor() {
    this.#server = createServer(async (request, response) => {
      const signature = String(request.headers["x-dfns-webhook-signature"]);
      this.#deliveries.push({ body: await text(request), signature });
      response.end("{}");
    });
  }

  static async listen(): Promise<WebhookReceiver> {
    const receiver = new WebhookReceiver();
    receiver.#server.listen(0, "127.0.0.1");
    await once(receiver.#server, "listening");
    return receiver;
  }

  get url(): string {
    const address = this.#server.address();
    if (address === null || typeof address === "string") throw new Error("the receiver does not listen");
    return `http://127.0.0.1:${address.port}/events`;
  }

  /** The verified events received; throws if a delivery is not signed with this secret. */
  events(secret: string): readonly ReceivedEvent[] {
    return this.#deliveries.map(({ body, signature }) => verifyDelivery(body, signature, secret));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.close();
    this.#server.closeAllConnections();
    await once(this.#server, "close");
  }
}
