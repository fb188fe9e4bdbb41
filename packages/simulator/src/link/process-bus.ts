import { type Bus, Outage } from "@conclave/platform";
import type { MemoryBroker } from "@conclave/platform/testing";
import type { ProcessWorld } from "../time/process-world.ts";
import { LostOnTheWay, type ServerLink } from "./server-link.ts";

/** A process's connection to the message server. The server notices the process's death. */
export const connectProcessBus = (broker: MemoryBroker, world: ProcessWorld, link: ServerLink): Bus => {
  const bus = broker.connect();
  world.onDeath(() => void bus.close());
  return {
    connected: bus.connected,
    publish: (message) =>
      link
        .ask(`publish ${message.subject}`, () => bus.publish(message))
        .catch((error: unknown) => {
          throw error instanceof LostOnTheWay ? new Outage("message bus", error) : error;
        }),
    signal: (subject) => link.send(() => bus.signal(subject)),
    hear: (subject, heard) => bus.hear(subject, () => link.hear(heard)),
    listen: (subject, heard) => bus.listen(subject, () => link.hearAlways(heard)),
    close: () => bus.close(),
  };
};
