import { openMemoryChain, SEPOLIA } from "@conclave/chains/testing";
import type { InjectedFault, Place } from "@conclave/chaos";
import { openVirtualWorld } from "@conclave/cluster/testing";
import { openMemoryBroker } from "@conclave/platform/testing";
import { describe, expect, it } from "vitest";
import { TroubledWays } from "../link/troubled-ways.ts";
import { chanceOf } from "../time/chance-of.ts";
import { AgedCopies } from "./aged-copies.ts";
import { BusFaults } from "./bus-faults.ts";
import { ChainFaults } from "./chain-faults.ts";
import { hasLink, troubleLink } from "./link-faults.ts";

const SIGNER: Place = { kind: "signer", number: 1 };
const OTHER: Place = { kind: "signer", number: 2 };
const ORCHESTRATOR: Place = { kind: "orchestrator", number: 1 };
const GATEWAY: Place = { kind: "gateway", number: 1 };
const DATABASE: Place = { kind: "database" };

/** A chain to which nobody pays. */
const onlyChain = (controls: ReturnType<typeof openMemoryChain>) => ({ controls, landed: () => [] });

it("copies are of a time or of before, or else the first one", () => {
  const copies = new AgedCopies<string>();
  expect(() => copies.of(5)).toThrow("nothing was copied");
  copies.keep(10, "first");
  copies.keep(20, "second");
  expect([5, 10, 19, 20, 99].map((atMs) => copies.of(atMs))).toEqual([
    "first",
    "first",
    "first",
    "second",
    "second",
  ]);
});

describe("faults of a chain that last", () => {
  it("last until the last of several ends", () => {
    const world = openVirtualWorld(0, "chain");
    const chain = openMemoryChain({ world, chainId: SEPOLIA.chainId, blockMs: 1_000 });
    const faults = new ChainFaults(onlyChain(chain), () => undefined);
    const heights = (): bigint => {
      world.after(1_000, () => undefined);
      const untilMs = world.nowMs() + 1_000;
      while (world.step(untilMs));
      return chain.height();
    };
    const [first, second] = [faults.begin({ kind: "hold" }), faults.begin({ kind: "hold" })];
    first();
    expect(heights()).toBe(0n);
    second();
    expect(heights()).toBe(1n);
  });

  it("are refused where a world has nothing of the kind", () => {
    const chain = openMemoryChain({ world: openVirtualWorld(0, "chain"), chainId: SEPOLIA.chainId });
    expect(() => new ChainFaults(onlyChain(chain), () => undefined).begin({ kind: "overload" })).toThrow(
      "overloads a chain",
    );
  });
});

describe("faults of the bus", () => {
  const message = (messageId: string) => ({ messageId, subject: "events", payload: {} });

  it("restore a copy of its age, forget all, and repeat until the last of several ends", async () => {
    const world = openVirtualWorld(0, "bus");
    const broker = openMemoryBroker(world);
    const back = { kind: "goes back", byMs: 2_000 } as const;
    const planned: InjectedFault = { kind: "bus", failure: back };
    const faults = new BusFaults(broker, world, [planned]);
    const bus = broker.connect();
    for (const name of ["1", "2", "3", "4"]) {
      await bus.publish(message(name));
      world.step(world.nowMs() + 1_000);
    }
    faults.begin(back);
    expect(broker.stored.map(({ messageId }) => messageId)).toEqual(["1", "2"]);
    const heard: string[] = [];
    bus.hear("due", () => heard.push("due"));
    const [first, second] = [faults.begin({ kind: "repeats" }), faults.begin({ kind: "repeats" })];
    first();
    bus.signal("due");
    second();
    bus.signal("due");
    world.step(world.nowMs());
    world.step(world.nowMs());
    world.step(world.nowMs());
    expect(heard).toHaveLength(3);
    faults.begin({ kind: "forgets" });
    expect(broker.stored).toEqual([]);
  });
});

describe("faults of links", () => {
  it("are of those between processes of which one calls the other", () => {
    expect(hasLink(SIGNER, OTHER)).toBe(true);
    expect(hasLink(SIGNER, ORCHESTRATOR)).toBe(true);
    expect(hasLink(DATABASE, GATEWAY)).toBe(true);
    expect(hasLink(SIGNER, DATABASE)).toBe(false);
    expect(hasLink(GATEWAY, SIGNER)).toBe(false);
    expect(hasLink(ORCHESTRATOR, GATEWAY)).toBe(false);
  });

  it("trouble one way, or both", () => {
    const ways = new TroubledWays({ chanceOf: (way) => chanceOf("", way), changed: () => undefined });
    const cut = { kind: "link", from: SIGNER, to: OTHER, toxic: { kind: "cut" } } as const;
    const undo = troubleLink(ways, { ...cut, isBothWays: false });
    expect(ways.cut).toEqual(["signer-1 → signer-2"]);
    undo();
    troubleLink(ways, { ...cut, isBothWays: true });
    expect(ways.cut).toEqual(["signer-1 → signer-2", "signer-2 → signer-1"]);
    expect(() => troubleLink(ways, { ...cut, to: DATABASE, isBothWays: true })).toThrow(
      "no process calls another between signer-1 and postgres",
    );
  });
});
