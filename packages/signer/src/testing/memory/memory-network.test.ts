import { describeSignerLink, openVirtualWorld } from "@conclave/cluster/testing";
import { linkOver } from "@conclave/platform/coordination";
import { beforeEach, describe, expect, test } from "vitest";
import { AssembledCluster } from "../assembled-cluster.ts";
import { MemoryLink } from "./memory-link.ts";
import { OPEN_WAY, type Way } from "./way.ts";

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

/** A way that changes. */
const wayNow = (now: () => Way): Way => ({
  get isCut() {
    return now().isCut;
  },
  get delayMs() {
    return now().delayMs;
  },
  get bytesPerSecond() {
    return now().bytesPerSecond;
  },
  breaks: () => now().breaks(),
});
const CUT: Way = { ...OPEN_WAY, isCut: true };

describe("an orchestrator over a network in memory", () => {
  test.each([
    ["there", "orchestrator-1"],
    ["back", "signer-2"],
  ])(
    "loses a signer whose way %s is cut, once its keepalive notices, until the cut is over",
    async (_, from) => {
      let isCut = false;
      const cut = wayNow(() => (isCut ? CUT : OPEN_WAY));
      const isTroubled = (one: string, other: string): boolean =>
        one === from && (one === "signer-2" || other === "signer-2") && !/signer.*signer/.test(one + other);
      const cluster = new AssembledCluster("ways", 3, 2, (one, other) =>
        isTroubled(one, other) ? cut : OPEN_WAY,
      );
      await cluster.start();
      isCut = true;
      cluster.network.waysChanged();
      const cutMs = cluster.world.nowMs();
      await cluster.until(() => cluster.signers.live().length === 2);
      expect(cluster.world.nowMs() - cutMs).toBeGreaterThanOrEqual(3_000);
      isCut = false;
      cluster.network.waysChanged();
      await cluster.until(() => cluster.signers.live().length === 3);
      cluster.signers.close();
    },
  );
});

describe("a link in memory", () => {
  let taken: number[];
  let dropped: string[];
  let whyNot: "away" | "busy" | "not an envelope" | undefined;
  let world: ReturnType<typeof openVirtualWorld>;
  let link: MemoryLink;
  let connection: { there: Way; back: Way };
  beforeEach(() => {
    [taken, dropped, whyNot] = [[], [], undefined];
    connection = { there: OPEN_WAY, back: OPEN_WAY };
    world = openVirtualWorld(0, "link");
    const deliver = ([first = 0]: Uint8Array) => {
      if (whyNot === undefined) taken.push(first);
      return whyNot;
    };
    const ways = { there: wayNow(() => connection.there), back: wayNow(() => connection.back) };
    link = new MemoryLink(world, ways, deliver, (reason) => dropped.push(reason));
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

  test("delivers after a cut, in order, what it was handed meanwhile, and drops after half a minute", () => {
    connection = { there: CUT, back: OPEN_WAY };
    send(1, 2);
    pass(10_000);
    connection = { there: OPEN_WAY, back: OPEN_WAY };
    send(3);
    pass(1_000);
    expect([taken, dropped]).toEqual([[1, 2, 3], []]);
    connection = { there: CUT, back: OPEN_WAY };
    send(4);
    pass(31_000);
    expect(dropped).toEqual(["too old"]);
  });

  test("delivers again what was not acknowledged: after five seconds, and once acknowledgements pass", () => {
    connection = { there: OPEN_WAY, back: CUT };
    send(1);
    pass(4_900);
    expect(taken).toEqual([1]);
    pass(300);
    expect(taken).toEqual([1, 1]);
    connection = { there: OPEN_WAY, back: OPEN_WAY };
    pass(200);
    send(2);
    pass(10_000);
    expect([taken, dropped]).toEqual([[1, 1, 1, 2], []]);
  });

  test("sends again what its connection broke under", () => {
    let breaks = 2;
    connection = { there: { ...OPEN_WAY, breaks: () => breaks-- > 0 }, back: OPEN_WAY };
    send(1, 2);
    pass(1_000);
    expect([taken, dropped]).toEqual([[1, 2], []]);
  });

  test("takes longer for each envelope, in order, on a way that delays it, and on a slow one", () => {
    connection = { there: { ...OPEN_WAY, delayMs: 400 }, back: OPEN_WAY };
    send(1);
    connection = { there: OPEN_WAY, back: OPEN_WAY };
    send(2);
    pass(390);
    expect(taken).toEqual([]);
    pass(100);
    expect(taken).toEqual([1, 2]);
    connection = { there: { ...OPEN_WAY, bytesPerSecond: 1 }, back: OPEN_WAY };
    send(3, 4);
    pass(1_500);
    expect(taken).toEqual([1, 2, 3]);
    pass(1_000);
    expect(taken).toEqual([1, 2, 3, 4]);
  });
});
