import { fail, ok } from "@conclave/custody";
import { describe, expect, it } from "vitest";
import { decideBump, type StuckRequest } from "./decide-bump.ts";

const DAY_MS = 24 * 60 * 60_000;
const content = { kind: "Call" };
const STUCK: StuckRequest = {
  rule: { afterBlocks: 3, most: 2, cap: "100" },
  waitedBlocks: 3n,
  askedMs: 30 * DAY_MS,
  isBehind: false,
  bumps: 0,
  bid: ok({ kind: "bid", content }),
};
const decide = (change: Partial<StuckRequest>) => decideBump({ ...STUCK, ...change });

describe("a transaction that waits", () => {
  it("has its fee raised after so many blocks, as it is bid", () => {
    expect(decide({})).toEqual({ kind: "bump", content });
  });

  it.each<[string, Partial<StuckRequest>]>([
    ["a block too few", { waitedBlocks: 2n }],
    ["none", { waitedBlocks: 0n }],
    ["a chain that went back", { waitedBlocks: -5n }],
    ["one before it in its account", { isBehind: true }],
    ["one before it, whatever else is wrong", { isBehind: true, bumps: 9, bid: fail("PermissionMissing") }],
  ])("waits on: %s", (_, change) => {
    expect(decide(change)).toEqual({ kind: "wait" });
  });

  it.each<[string, Partial<StuckRequest>, RegExp]>([
    ["most-reached", { bumps: 2 }, /raised 2 times, and this network allows 2/],
    ["most-reached", { bumps: 3, bid: fail("KeyDelegated") }, /raised 3 times/],
    ["above-cap", { bid: ok({ kind: "above-cap", least: "101" }) }, /is 101, above the cap of 100/],
    ["callers-fee", { bid: ok({ kind: "callers-fee" }) }, /its caller chose the fee/],
    ["not-permitted", { bid: fail("PermissionMissing", {}, "us-1 is gone") }, /us-1 is gone/],
    ["not-permitted", { bid: fail("WalletNotFound") }, /wallet/],
    ["policy", { bid: fail("PolicyBlocked", {}, "too dear") }, /too dear/],
    ["not-possible", { askedMs: 30 * DAY_MS + 1 }, /more than 30 days ago/],
    ["not-possible", { bid: fail("TransactionKindNotSupported", {}, "only a payment") }, /only a payment/],
  ])("is left, with a reason: %s", (outcome, change, reason) => {
    expect(decide(change)).toEqual({ kind: "leave", outcome, reason: expect.stringMatching(reason) });
  });
});
