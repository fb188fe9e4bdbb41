import { setImmediate as turn } from "node:timers/promises";
import { openVirtualWorld } from "@conclave/cluster/testing";
import type { Reception } from "@conclave/custody";
import { openMemoryEndpoints } from "./memory-endpoints.ts";
import { describeSender } from "./sender-conformance.ts";

describeSender("memory", () => {
  const world = openVirtualWorld(0, "endpoints");
  const { send, open } = openMemoryEndpoints(world);
  let opened = 0;
  return {
    send,
    impatient: send, // no shorter limit needed: the test moves the time
    endpoint: async (answer) => {
      opened += 1;
      const url = `http://endpoint-${opened}.example/hook`;
      return { url, heard: open(url, () => answer) };
    },
    nowhere: "http://nowhere.example/",
    settled: async (sending) => {
      let reception: Reception | undefined;
      void sending.then((received) => {
        reception = received;
      });
      for (await turn(); reception === undefined; await turn()) {
        if (!world.step(Number.POSITIVE_INFINITY)) throw new Error("nothing is left to come");
      }
      return reception;
    },
  };
});
