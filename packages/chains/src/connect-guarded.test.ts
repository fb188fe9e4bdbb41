import { fail, ok } from "@conclave/custody";
import { beforeEach, describe, expect, it } from "vitest";
import type { ChainNode, NetworkEntry, Sighting } from "./chain.ts";
import { connectGuarded } from "./connect-guarded.ts";
import { EVM_FAMILY } from "./evm/family.ts";
import { type HandWorld, openHandWorld } from "./testing/conformance/hand-world.ts";
import { openMemoryChain } from "./testing/memory-chain/chain.ts";
import { SEPOLIA } from "./testing/samples.ts";

const entryAt = (rpcUrl: string) => EVM_FAMILY.entrySchema.parse({ ...SEPOLIA, rpcUrl, confirmations: 1 });
const [FIRST, SECOND] = [entryAt("http://first.invalid"), entryAt("http://second.invalid")];
const BOTH: NetworkEntry = { ...FIRST, second: SECOND };
const UNKNOWN: Sighting = { kind: "unknown" };
const INCLUDED: Sighting = {
  kind: "included",
  height: 7n,
  blockHash: "0x07",
  isFinal: true,
  fee: 1n,
  succeeded: true,
};
const HEAD = ok({ height: 1n, hash: "0x01", confirmedHeight: 1n, finalHeight: 1n });

let world: HandWorld;
let silences: boolean[];
/** Answers of the second node, with counts of its calls for a fate and for its head. */
let second: { isSilent: boolean; fates: number; heads: number };
beforeEach(() => {
  world = openHandWorld();
  silences = [];
  second = { isSilent: false, fates: 0, heads: 0 };
});

const connect = (entry: NetworkEntry): ChainNode => {
  const memory = openMemoryChain({ world, chainId: SEPOLIA.chainId }).connect(FIRST);
  const dead = ok({ kind: "dead", reason: "its time is over" } as const);
  if (entry !== SECOND) return { ...memory, sight: async () => ok(UNKNOWN), fateOf: async () => dead };
  return {
    ...memory,
    head: async () => {
      second.heads += 1;
      return second.isSilent ? fail("ServiceUnavailable") : HEAD;
    },
    sight: async () => ok(INCLUDED),
    fateOf: async () => {
      second.fates += 1;
      if (!second.isSilent) return dead;
      await Promise.resolve();
      world.pass(5_000);
      return fail("ServiceUnavailable");
    },
  };
};
const connected = (entry: NetworkEntry) =>
  connectGuarded(connect, entry, { ...world, onSilence: (isSilent) => silences.push(isSilent) });

describe("K11 a network whose entry", () => {
  it("names a second node has both asked", async () => {
    const { node } = connected(BOTH);
    expect(await node.sight("0x00")).toEqual(ok(INCLUDED));
    expect(await node.fateOf("0x00", [])).toMatchObject({ ok: true, value: { kind: "dead" } });
    expect(second.fates).toBe(1);
  });

  it("names none asks the first alone", async () => {
    const { node } = connected(FIRST);
    expect(await node.sight("0x00")).toEqual(ok(UNKNOWN));
    expect(await node.fateOf("0x00", [])).toMatchObject({ ok: true, value: { kind: "dead" } });
    expect(second.fates).toBe(0);
  });
});

describe("K11 a second node that falls silent", () => {
  it("is left alone by its own breaker: nobody waits for it, nothing is dead by one word, and the first is said to answer", async () => {
    const { node } = connected(BOTH);
    second.isSilent = true;
    const fate = () => node.fateOf("0x00", []);
    for (let time = 0; time < 5; time += 1) expect(await fate()).toMatchObject({ ok: false });
    const before = world.monotonicMs();
    expect(await fate()).toMatchObject({ ok: false });
    expect([second.fates, world.monotonicMs() - before, silences]).toEqual([3, 0, []]);
  });

  it("is probed until it answers again, and not after the stop", async () => {
    const { node, stop } = connected(BOTH);
    second.isSilent = true;
    for (let time = 0; time < 3; time += 1) await node.fateOf("0x00", []);
    second.isSilent = false;
    world.pass(1_000);
    await expect.poll(async () => (await node.fateOf("0x00", [])).ok).toBe(true);
    second.isSilent = true;
    for (let time = 0; time < 3; time += 1) await node.fateOf("0x00", []);
    stop();
    const { heads } = second;
    world.pass(60_000);
    expect(second.heads).toBe(heads);
  });
});
