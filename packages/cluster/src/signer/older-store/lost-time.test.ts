import { testParties } from "@conclave/threshold/testing";
import { describe, expect, test } from "vitest";
import { configOf, START_MS } from "../../testing/fixtures.ts";
import { CLOCK_SKEW_MS_MAX, REQUEST_AGE_MS_MAX } from "../limits.ts";
import { type Forgotten, NOTHING_FORGOTTEN } from "../session/forgotten-mark.ts";
import { isStoreConfirmed, lostToMs, whyLost, whyUnconfirmed } from "./lost-time.ts";
import { NO_SPENDING } from "./spending-counts.ts";

const [self, ...peers] = testParties(5);
if (self === undefined) throw new Error("five parties are not none");

/** A signer of 3 of 5 with these marks, which this many peers have confirmed, after all had time to answer. */
const signer = (confirmed: number, marks: Partial<Forgotten> = {}) => ({
  spending: { ...NO_SPENDING, hasWaited: true, confirmedBy: new Set(peers.slice(0, confirmed)) },
  config: configOf(self, 5, 3),
  forgotten: { ...NOTHING_FORGOTTEN, ...marks },
  startedAtMs: START_MS,
});

describe("INV-4 a store that may be an older copy", () => {
  test("is confirmed by all peers while they may still answer: those that took part in a signature may be slower than those that did not", () => {
    const early = (confirmed: number) => {
      const { spending, ...state } = signer(confirmed);
      return isStoreConfirmed({ ...state, spending: { ...spending, hasWaited: false } });
    };
    expect([2, 3, 4].map(early)).toEqual([false, false, true]);
  });

  test("is confirmed by t - 1 peers afterwards, and releases nothing before", () => {
    expect([0, 1, 2, 3].map((count) => isStoreConfirmed(signer(count)))).toEqual([false, false, true, true]);
    expect([1, 2].map((count) => whyUnconfirmed(signer(count))?.code)).toEqual([
      "StoreUnconfirmed",
      undefined,
    ]);
  });

  test("may have lost everything until its start or resumption, unless it is confirmed", () => {
    expect(lostToMs(signer(1))).toBe(START_MS + CLOCK_SKEW_MS_MAX);
    expect(lostToMs(signer(2))).toBe(0);
    expect(lostToMs(signer(2, { requestedToMs: 7, olderMs: 5 }))).toBe(7);
    expect(lostToMs(signer(2, { requestedToMs: 7, olderMs: 9 }))).toBe(9);
    expect(lostToMs(signer(1, { requestedToMs: START_MS * 2 }))).toBe(START_MS * 2);
    expect(lostToMs({ ...signer(1), startedAtMs: undefined })).toBe(Number.MAX_SAFE_INTEGER);
    const { spending, ...resumed } = signer(1);
    expect(lostToMs({ ...resumed, spending: { ...spending, sinceMs: 9 } })).toBe(9 + CLOCK_SKEW_MS_MAX);
  });

  test("signs no transaction for a request of the lost time, nor for one that takes the place of others", () => {
    const exclusion = new Uint8Array(0);
    const transaction = {
      network: "EthereumSepolia",
      digest: "",
      exclusion,
      deadlineMs: undefined,
      unsigned: undefined,
    };
    const state = signer(2, { requestedToMs: START_MS });
    const codeOf = (atMs: number, replaces: readonly string[] = [], what = true) =>
      whyLost(state, { transaction: what ? transaction : undefined, requestedAtMs: atMs, replaces })?.code;
    expect(codeOf(START_MS)).toBe("AuthorisationNotCurrent");
    expect(codeOf(START_MS + 1)).toBeUndefined();
    expect(codeOf(START_MS, [], false)).toBeUndefined();
    expect(codeOf(START_MS + 1, ["another"])).toBe("AuthorisationNotCurrent");
    expect(codeOf(START_MS + REQUEST_AGE_MS_MAX + 1, ["another"])).toBeUndefined();
  });
});
