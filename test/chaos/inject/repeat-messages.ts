import type { Heal } from "@conclave/chaos";
import type { Cluster } from "@conclave/testbed";
import { connect, headers } from "@nats-io/transport-node";
import { busOf } from "../../integration/event-stream.ts";

/** All messages between services: hints that something is due or done. */
const HINTS = "conclave.>";
const MARK = "Conclave-Repeated";

/** Publishes every hint a second time, until healed. */
export const repeatMessages = async (cluster: Cluster): Promise<Heal> => {
  const connection = await connect({ ...busOf(cluster.layout), maxReconnectAttempts: -1 });
  connection.subscribe(HINTS, {
    callback: (_error, message) => {
      if (message.headers?.has(MARK) === true) return;
      const marked = headers();
      marked.set(MARK, "1");
      connection.publish(message.subject, message.data, { headers: marked });
    },
  });
  return () => connection.close();
};
