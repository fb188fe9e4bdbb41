import type { PartyIndex } from "@conclave/threshold";
import { testParty } from "@conclave/threshold/testing";
import { bytesToHex } from "@noble/hashes/utils.js";
import { describe, expect, test } from "vitest";
import { boundRequestName, type EpochHandover } from "../../control/epoch-handover.ts";
import { CLOCK_SKEW_MS_MAX } from "../limits.ts";
import { type GoingOver, handoversFrom, type PastOfKey, pastAfter } from "./past-of-key.ts";

const NOW_MS = 10_000_000;
const SOON_MS = NOW_MS + CLOCK_SKEW_MS_MAX;
const DIGEST = "cd".repeat(32);
const parties = (...indices: readonly number[]): readonly PartyIndex[] => indices.map(testParty);
const holders = (threshold: number, ...indices: readonly number[]) => ({
  threshold,
  parties: parties(...indices),
});
const handover = (signer: number, sinceMs = 100, latestMs = 200, ...ids: string[]): EpochHandover => ({
  signer: testParty(signer),
  sinceMs,
  latestMs,
  requests: ids.map((id) => boundRequestName(id, DIGEST)),
  signature: new Uint8Array(64),
});
const heard = (sinceMs = 100, ...ids: string[]) => ({
  sinceMs,
  requests: ids.map((id) => bytesToHex(boundRequestName(id, DIGEST))),
});

const FIVE = holders(3, 1, 2, 3, 4, 5);
const REPLACED = holders(3, 3, 4, 5, 6, 7);

test.each([
  ["3 of 5", FIVE, 3],
  ["4 of 7", holders(4, 1, 2, 3, 4, 5, 6, 7), 4],
  ["2 of 3", holders(2, 1, 2, 3), 2],
  ["3 of 3", holders(3, 1, 2, 3), 1],
  ["2 of 5, where two quorums need not meet", holders(2, 1, 2, 3, 4, 5), 2],
])("INV-4 no quorum of %s passes those by that hand a key over", (_, before, needed) => {
  expect(handoversFrom(before)).toBe(needed);
});

/** Switches a signer from epoch 1 of the five to epoch 2, in which two of them are replaced. */
const go = (
  self: number,
  change: Partial<GoingOver>,
  handovers: readonly EpochHandover[],
  past: PastOfKey = {},
): PastOfKey | undefined =>
  pastAfter(
    past,
    {
      self: testParty(self),
      held: { ...FIVE, epoch: 1 },
      next: { ...REPLACED, from: 1, before: FIVE },
      comes: true,
      latestMs: 0,
      ...change,
      handovers,
    },
    NOW_MS,
  );
const comes = (self: number, ...handovers: readonly EpochHandover[]) =>
  go(self, { held: undefined }, handovers);

describe("INV-4 the past of a key, for a signer that goes to its next epoch,", () => {
  test("is unknown to one that comes until enough have handed the key over", () => {
    expect(comes(6, handover(3), handover(4))).toBeUndefined();
    expect(comes(6, handover(2), handover(3), handover(4))).toEqual({
      joined: { needed: 3, heard: [heard(), heard(), heard()] },
      heldSinceMs: 201,
    });
  });

  test("counts the signer's own going, and no handover of its own beside it", () => {
    expect(go(5, {}, [handover(4)])).toBeUndefined();
    expect(go(5, {}, [handover(4), handover(5)])).toBeUndefined();
    expect(go(5, {}, [handover(3), handover(4)])).toEqual({
      earlier: { needed: 2, heard: [heard(), heard()], least: 3 },
      heldSinceMs: 201,
    });
  });

  test("is asked for wherever the holders or their threshold change, also where nobody comes", () => {
    const fewer = { ...holders(3, 2, 3, 4, 5), from: 1, before: FIVE };
    expect(go(5, { next: fewer }, [handover(4)])).toBeUndefined();
    expect(go(5, { next: fewer }, [handover(3), handover(4)])).toBeDefined();
    const lower = { ...holders(2, 1, 2, 3, 4, 5), from: 1, before: FIVE };
    expect(go(5, { next: lower }, [handover(4)])).toBeUndefined();
  });

  test("counts nobody that did not hold the key", () => {
    expect(comes(6, handover(3), handover(4), handover(7))).toBeUndefined();
  });

  test("counts no dates that are too far ahead: a liar would have all requests refused", () => {
    const farMs = NOW_MS + 2 * CLOCK_SKEW_MS_MAX + 1;
    expect(comes(6, handover(3), handover(4), handover(5, farMs, 200))).toBeUndefined();
    expect(comes(6, handover(3), handover(4), handover(5, 100, farMs))).toBeUndefined();
  });

  test("keeps apart what each says, and takes the earliest of the latest dates that suffice", () => {
    const given = [
      handover(1, 900, 950, "late"),
      handover(3, 300, 310, "a"),
      handover(4, 100, 400, "a", "b"),
    ];
    expect(comes(6, ...given, handover(5, 200, 210, "c"))).toEqual({
      joined: {
        needed: 3,
        heard: [heard(900, "late"), heard(300, "a"), heard(100, "a", "b"), heard(200, "c")],
      },
      heldSinceMs: 401,
    });
    // a holder that stays has bound requests itself
    expect(go(5, { latestMs: 700 }, given)?.heldSinceMs).toBe(701);
  });

  test("of a signer that lost its share is what the others say, also where the holders stay", () => {
    const next = { ...FIVE, from: 1 };
    const lost = { held: undefined, next, comes: false };
    expect(go(5, lost, [handover(1), handover(2)])).toBeUndefined();
    expect(go(5, lost, [handover(1), handover(2), handover(3)])).toEqual({
      joined: { needed: 3, heard: [heard(), heard(), heard()], isLost: true },
      heldSinceMs: 201,
    });
  });

  test("goes by the signer's own holders where its epoch is above the one that the next was made from", () => {
    const held = { ...REPLACED, epoch: 2 };
    const past = { heldSinceMs: 7 };
    // no handover by the departed holders is needed: they handed the key over to the current ones
    expect(go(5, { held, next: { ...REPLACED, from: 1, before: FIVE } }, [], past)).toEqual(past);
    const others = { ...holders(3, 1, 3, 4, 5, 6), from: 1, before: FIVE };
    expect(go(5, { held, next: others }, [handover(3)], past)).toBeUndefined();
  });

  test("is that nothing is known until now, for a signer that missed an epoch in between", () => {
    const next = { ...REPLACED, from: 2 };
    expect(go(5, { next }, [])).toEqual({ longBefore: { sinceMs: SOON_MS, least: 3 } });
    const missed = go(5, { next: { ...holders(2, 3, 4, 5), from: 2, before: REPLACED } }, [
      handover(3),
      handover(4),
    ]);
    expect(missed).toMatchObject({ longBefore: { sinceMs: SOON_MS, least: 3 }, earlier: { least: 3 } });
  });

  test("keeps of a change before that all requests of before it are unknown", () => {
    const past = {
      joined: { needed: 3, heard: [heard(5)] },
      earlier: { needed: 2, heard: [heard(60, "x")], least: 4 },
      longBefore: { sinceMs: 30, least: 5 },
      heldSinceMs: 90,
    };
    expect(go(5, {}, [handover(3, 10, 20), handover(4, 30, 15)], past)).toEqual({
      joined: past.joined,
      earlier: { needed: 2, heard: [heard(10), heard(30)], least: 3 },
      longBefore: { sinceMs: 90, least: 5 },
      heldSinceMs: 90,
    });
  });

  test("stays as it is where the holders stay", () => {
    const past = { heldSinceMs: 7, earlier: { needed: 1, heard: [heard()], least: 3 } };
    expect(go(1, { next: { ...FIVE, from: 1 } }, [], past)).toEqual(past);
    expect(go(1, { next: { ...FIVE, from: 1, before: FIVE } }, [], past)).toEqual(past);
  });
});
