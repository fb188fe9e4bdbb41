import { timingSafeEqual } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type IncomingMessage } from "node:http";
import { buffer } from "node:stream/consumers";
import { deliverySignature, WEBHOOK_SIGNATURE_HEADER } from "@conclave/custody";
import { z } from "zod";

const HOST = "127.0.0.1";
const DELIVERED = 200;
const UNREADABLE = 400;
const UNSIGNED = 401;

const deliverySchema = z.looseObject({
  id: z.string(),
  kind: z.string(),
  date: z.string(),
  data: z.record(z.string(), z.unknown()),
});
export type DeliveredEvent = z.infer<typeof deliverySchema>;

/** A delivery, as it came. */
export interface HeardDelivery {
  readonly event: DeliveredEvent;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

export interface WebhookListener {
  readonly url: string;
  close(): Promise<void>;
}

/**
 * Listens on loopback for deliveries of a webhook.
 * @param secret of the webhook; until it is known, undefined, and every delivery is refused
 * @param heard receives each delivery that carries the webhook's signature; others are answered with 401. It gives the status of the
 *   answer, 200 by default
 */
export const listenForEvents = async (
  secret: () => string | undefined,
  heard: (delivery: HeardDelivery) => Promise<number> | undefined,
): Promise<WebhookListener> => {
  const take = async (request: IncomingMessage): Promise<number> => {
    const body = await buffer(request);
    const known = secret();
    const text = body.toString("utf8");
    if (known === undefined || !isSigned(request, deliverySignature(known, text))) return UNSIGNED;
    const event = deliverySchema.parse(JSON.parse(text));
    return (await heard({ event, headers: request.headers, body })) ?? DELIVERED;
  };
  const server = createServer((request, response) => {
    take(request)
      .catch(() => UNREADABLE)
      .then((status) => response.writeHead(status).end());
  });
  server.listen(0, HOST);
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the listener has no port");
  return {
    url: `http://${HOST}:${address.port}/`,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
};

const isSigned = ({ headers }: IncomingMessage, expected: string): boolean => {
  const given = Buffer.from(String(headers[WEBHOOK_SIGNATURE_HEADER]));
  const wanted = Buffer.from(expected);
  return given.length === wanted.length && timingSafeEqual(given, wanted);
};
