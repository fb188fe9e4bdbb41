import { describeSignerLink, openVirtualWorld } from "@conclave/cluster/testing";
import { linkOver } from "@conclave/platform/coordination";
import { beforeEach, describe, expect, test } from "vitest";
import { AssembledCluster } from "../assembled-cluster.ts";
import { MemoryLink } from "./memory-link.ts";

describeSignerLink("a network in memory", async () => {
  const cluster = new AssembledCluster("network", 3, 2);
  await cluster.start();
  return {
    link: linkOver(cluster.signers),
    nowMs: cluster.world.nowMs,
    kill: async (signer) => cluster.network.cutOff(signer),
    until: (condition) => cluster.until(condition),
    close: async () => cluster.signers.close(),
  };
});

describe("a link in memory", () => {
  let taken: number[];
  let dropped: string[];
  let whyNot: "away" | "busy" | "not an envelope" | undefined;
  let world: ReturnType<typeof openVirtualWorld>;
  let link: MemoryLink;
  beforeEach(() => {
    [taken, dropped, whyNot] = [[], [], undefined];
    world = openVirtualWorld(0, "link");
    const deliver = ([first = 0]: Uint8Array) => {
      if (whyNot === undefined) taken.push(first);
      return whyNot;
    };
    link = new MemoryLink(world, deliver, (reason) => dropped.push(reason));
  });
  const pass = (ms: number): void => {
    const untilMs = world.nowMs() + ms;
    while (world.step(untilMs));
    world.after(untilMs - world.nowMs(), () => undefined);
    world.step(untilMs);
  };
  const send = (...envelopes: readonly number[]): void => {
    for (const envelope of envelopes) link.send(Uint8Array.of(envelope));
  };

  test("keeps the order of what it carries", () => {
    const many = Array.from({ length: 50 }, (_, at) => at);
    send(...many);
    pass(100);
    expect(taken).toEqual(many);
  });

  test.each(["away", "busy"] as const)("sends again, in order, while the peer is %s", (reason) => {
    whyNot = reason;
    send(1, 2);
    pass(1_000);
    whyNot = undefined;
    send(3);
    pass(1_000);
    expect([taken, dropped]).toEqual([[1, 2, 3], []]);
  });

  test("drops what its peer refuses, and after half a minute what it could not deliver", () => {
    whyNot = "not an envelope";
    send(1);
    pass(100);
    whyNot = "away";
    send(2);
    pass(31_000);
    whyNot = undefined;
    send(3);
    pass(1_000);
    expect([taken, dropped]).toEqual([[3], ["refused", "too old"]]);
  });

  test("delivers nothing once it is closed", () => {
    send(1);
    link.close();
    pass(100);
    expect([taken, dropped]).toEqual([[], []]);
  });
});
