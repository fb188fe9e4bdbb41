import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { StateLayout } from "@conclave/testbed";
import { jetstream, jetstreamManager } from "@nats-io/jetstream";
import { connect } from "@nats-io/transport-node";
import { z } from "zod";

const STREAM = "EVENTS";

const eventSchema = z.object({
  id: z.string(),
  kind: z.string(),
  date: z.iso.datetime(),
  orgId: z.string(),
  /** the resource by its own name, such as `{ transferRequest }` */
  data: z.record(z.string(), z.unknown()),
});

/** An event as a subscriber of the bus receives it, with its subject. */
export type HeardEvent = z.infer<typeof eventSchema> & { readonly subject: string };

/** The address and token of a cluster's private bus, read from its server's configuration. */
export const busOf = (layout: StateLayout): { readonly servers: string; readonly token: string } => {
  const configuration = readFileSync(join(layout.nats, "nats-server.conf"), "utf8");
  const [, address = ""] = /listen: "([^"]+)"/.exec(configuration) ?? [];
  const [, token = ""] = /token: "([^"]+)"/.exec(configuration) ?? [];
  return { servers: `nats://${address}`, token };
};

/** Every event that the cluster has published so far, in order. */
export const readEvents = async (layout: StateLayout): Promise<readonly HeardEvent[]> => {
  const connection = await connect(busOf(layout));
  try {
    const { state } = await (await jetstreamManager(connection)).streams.info(STREAM);
    if (state.messages === 0) return [];
    const consumer = await jetstream(connection).consumers.get(STREAM);
    const heard: HeardEvent[] = [];
    for await (const message of await consumer.fetch({ max_messages: state.messages })) {
      heard.push({ ...eventSchema.parse(message.json()), subject: message.subject });
    }
    return heard;
  } finally {
    await connection.close();
  }
};

const resourceSchema = z.looseObject({ id: z.string() });

/** The kinds of the events of one resource, in the order of their publication. */
export const kindsOf = (events: readonly HeardEvent[], id: string): readonly string[] =>
  events
    .filter(({ data }) =>
      Object.values(data).some((value) => resourceSchema.safeParse(value).data?.id === id),
    )
    .map(({ kind }) => kind);
