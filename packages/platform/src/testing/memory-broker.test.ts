import { setImmediate as turn } from "node:timers/promises";
import { openVirtualWorld } from "@conclave/cluster/testing";
import { describe, expect, it } from "vitest";
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

describe("a broker in memory", () => {
  const opened = () => {
    const world = openVirtualWorld(0, "bus");
    const broker = openMemoryBroker(world);
    const heard: string[] = [];
    const bus = broker.connect();
    bus.hear("due", () => heard.push("due"));
    bus.listen("missed", () => heard.push("missed"));
    const pass = (): readonly string[] => {
      while (world.step(Number.POSITIVE_INFINITY));
      return heard.splice(0);
    };
    return { broker, bus, pass };
  };
  const message = (messageId: string) => ({ messageId, subject: "events", payload: {} });

  it("goes back to what it had stored, with a restart that clients notice", async () => {
    const { broker, bus, pass } = opened();
    await bus.publish(message("1"));
    const copy = broker.stored;
    await bus.publish(message("2"));
    broker.restore(copy);
    expect([broker.stored.map(({ messageId }) => messageId), pass()]).toEqual([["1"], ["missed"]]);
    broker.restore([]);
    expect([broker.stored, bus.connected()]).toEqual([[], true]);
  });

  it("stays away where it was away when it went back", () => {
    const { broker, bus, pass } = opened();
    broker.kill();
    broker.restore([]);
    expect([bus.connected(), pass()]).toEqual([false, []]);
  });

  it("delivers each signal twice while it repeats", () => {
    const { broker, bus, pass } = opened();
    broker.repeat(true);
    bus.signal("due");
    expect(pass()).toEqual(["due", "due"]);
    broker.repeat(false);
    bus.signal("due");
    expect(pass()).toEqual(["due"]);
  });
});
