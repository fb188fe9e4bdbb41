import type { PartyIndex } from "@conclave/threshold";
import { testParty } from "@conclave/threshold/testing";
import { bytesToHex } from "@noble/hashes/utils.js";
import { describe, expect, test } from "vitest";
import { type EpochHandover, handoversNeeded, requestName } from "../../control/epoch-handover.ts";
import { CLOCK_SKEW_MS_MAX, HANDED_REQUESTS_MAX } from "../limits.ts";
import { type PastOfKey, pastAfter } from "./past-of-key.ts";

const NOW_MS = 10_000_000;
const parties = (...indices: readonly number[]): readonly PartyIndex[] => indices.map(testParty);
const holders = (threshold: number, ...indices: readonly number[]) => ({
  threshold,
  parties: parties(...indices),
});
const handover = (signer: number, sinceMs = 100, latestMs = 200, ...ids: string[]): EpochHandover => ({
  signer: testParty(signer),
  sinceMs,
  latestMs,
  requests: ids.map(requestName),
  signature: new Uint8Array(64),
});

const FIVE = holders(3, 1, 2, 3, 4, 5);
const REPLACED = holders(3, 3, 4, 5, 6, 7);

describe("INV-4 how many holders hand a key over", () => {
  test.each([
    ["nobody comes", FIVE, holders(3, 1, 2, 3, 4), 0],
    ["nothing changes", FIVE, FIVE, 0],
    ["one comes", FIVE, holders(3, 1, 2, 3, 4, 5, 6), 3],
    ["two are replaced", FIVE, REPLACED, 3],
    ["fewer sign together", FIVE, holders(2, 1, 2, 3), 3],
    ["more sign together", FIVE, holders(4, 1, 2, 3, 4, 5), 0],
    [
      "of seven with t of four one comes",
      holders(4, 1, 2, 3, 4, 5, 6, 7),
      holders(4, 2, 3, 4, 5, 6, 7, 8),
      4,
    ],
    ["two quorums need not meet", holders(2, 1, 2, 3, 4, 5), holders(2, 1, 2, 3, 4, 5, 6), 2],
    [
      "two quorums need not meet, and nothing changes",
      holders(2, 1, 2, 3, 4, 5),
      holders(2, 1, 2, 3, 4, 5),
      0,
    ],
  ])("where %s", (_, before, after, needed) => {
    expect(handoversNeeded(before, after)).toBe(needed);
  });
});

describe("INV-4 the past of a key, for a signer that goes to its next epoch,", () => {
  const after = (self: number, past: PastOfKey, ...handovers: readonly EpochHandover[]) =>
    pastAfter(past, { self: testParty(self), before: FIVE, after: REPLACED, handovers }, NOW_MS);

  test("is unknown to one that comes until enough have handed the key over", () => {
    expect(after(6, {}, handover(3), handover(4))).toBeUndefined();
    expect(after(6, {}, handover(2), handover(3), handover(4))).toBeDefined();
  });

  test("counts the signer's own going, and no handover of its own beside it", () => {
    expect(after(5, {}, handover(4))).toBeUndefined();
    expect(after(5, {}, handover(4), handover(5))).toBeUndefined();
    expect(after(5, {}, handover(3), handover(4))).toBeDefined();
  });

  test("counts nobody that did not hold the key", () => {
    expect(after(6, {}, handover(3), handover(4), handover(7))).toBeUndefined();
  });

  test("counts no dates that are too far ahead: a liar would have all requests refused", () => {
    const farMs = NOW_MS + 2 * CLOCK_SKEW_MS_MAX + 1;
    expect(after(6, {}, handover(3), handover(4), handover(5, farMs, 200))).toBeUndefined();
    expect(after(6, {}, handover(3), handover(4), handover(5, 100, farMs))).toBeUndefined();
  });

  test("takes the earliest dates, and the requests that these signers name", () => {
    const given = [
      handover(1, 900, 950, "late"),
      handover(3, 300, 310, "a"),
      handover(4, 100, 400, "a", "b"),
    ];
    expect(after(6, {}, ...given, handover(5, 200, 210, "c"))).toEqual({
      joined: { sinceMs: 300, requests: ["a", "b", "c"].map((id) => bytesToHex(requestName(id))) },
      heldSinceMs: 401,
    });
  });

  test("is how many of before meet every quorum of theirs, for one that stays", () => {
    expect(after(5, {}, handover(3, 10, 20, "a"), handover(4, 30, 15, "b"))).toEqual({
      earlier: { sinceMs: 30, requests: ["a", "b"].map((id) => bytesToHex(requestName(id))), least: 3 },
      heldSinceMs: 21,
    });
  });

  test("adds to what was known before", () => {
    const past = {
      joined: { sinceMs: 5, requests: ["00"] },
      earlier: { sinceMs: 60, requests: ["11"], least: 4 },
      heldSinceMs: 500,
    };
    const next = after(5, past, handover(3, 10, 20, "a"), handover(4, 30, 15, "b"));
    expect(next).toMatchObject({
      joined: past.joined,
      earlier: { sinceMs: 60, least: 4 },
      heldSinceMs: 500,
    });
    expect(next?.earlier?.requests).toContain("11");
    expect(next?.earlier?.requests).toHaveLength(3);
  });

  test("is that nothing is known, where nobody need hand over or too much would have to be remembered", () => {
    const soonMs = NOW_MS + CLOCK_SKEW_MS_MAX;
    const change = {
      self: testParty(4),
      before: FIVE,
      after: holders(3, 1, 2, 3, 4),
      handovers: [handover(1)],
    };
    expect(pastAfter({}, change, NOW_MS)).toEqual({
      earlier: { sinceMs: soonMs, requests: [], least: 3 },
      heldSinceMs: soonMs + 1,
    });
    const many = Array.from({ length: HANDED_REQUESTS_MAX }, (_, at) => `${at}`);
    const full = { earlier: { sinceMs: 1, requests: many, least: 3 } };
    const next = after(5, full, handover(3, 10, 20, "a"), handover(4));
    expect(next?.earlier).toEqual({ sinceMs: soonMs, requests: [], least: 3 });
  });

  test("begins now for one that came by a share of the version before", () => {
    const soonMs = NOW_MS + CLOCK_SKEW_MS_MAX;
    const change = {
      self: testParty(6),
      before: undefined,
      comes: true,
      after: REPLACED,
      handovers: [],
    } as const;
    expect(pastAfter({}, change, NOW_MS)).toEqual({ joined: { sinceMs: soonMs, requests: [] } });
    expect(pastAfter({ heldSinceMs: 1 }, { ...change, comes: undefined }, NOW_MS)).toEqual({
      heldSinceMs: 1,
    });
  });

  test("stays as it is where the holders stay", () => {
    const past = { heldSinceMs: 7, earlier: { sinceMs: 1, requests: [], least: 3 } };
    const same = { self: testParty(1), after: FIVE, handovers: [] };
    expect(pastAfter(past, { ...same, before: undefined }, NOW_MS)).toEqual(past);
    expect(pastAfter(past, { ...same, before: FIVE }, NOW_MS)).toEqual(past);
  });
});
