import { setImmediate as turn } from "node:timers/promises";
import { openVirtualWorld } from "@conclave/cluster/testing";
import { describeBus } from "./bus-conformance.ts";
import { openMemoryBroker } from "./memory-broker.ts";

describeBus("memory", async () => {
  const world = openVirtualWorld(0, "bus");
  const broker = openMemoryBroker(world);
  return {
    connect: async () => broker.connect(),
    stored: async () => broker.stored.length,
    kill: async () => broker.kill(),
    start: async () => broker.start(),
    until: async (condition) => {
      while (!condition()) {
        if (!world.step(Number.POSITIVE_INFINITY)) throw new Error("nothing is left to come");
        await turn();
      }
    },
    stop: async () => undefined,
  };
});
