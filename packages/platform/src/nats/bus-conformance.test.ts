import { jetstreamManager } from "@nats-io/jetstream";
import { connect } from "@nats-io/transport-node";
import { expect } from "vitest";
import { describeBus } from "../testing/bus-conformance.ts";
import { startNatsServer } from "../testing/index.ts";
import { connectBus } from "./bus.ts";
import { EVENTS_DEFAULTS } from "./streams.ts";

describeBus("NATS", async () => {
  const server = await startNatsServer();
  const { url, token } = server;
  return {
    connect: () => connectBus({ url, token, name: "test", events: EVENTS_DEFAULTS }),
    stored: async () => {
      const connection = await connect({ servers: url, token });
      const { state } = await (await jetstreamManager(connection)).streams.info("EVENTS");
      await connection.close();
      return state.messages;
    },
    kill: server.kill,
    start: server.start,
    until: (condition) => expect.poll(condition).toBe(true),
    stop: server.stop,
  };
});
