import { generateKeyPairSync, sign } from "node:crypto";
import { holdersOf, isRoster, ROSTER_CHANGES_MAX, type Roster } from "@conclave/platform/config";
import { describe, expect, it } from "vitest";
import { LaunchError } from "../launch-error.ts";
import { planRosterChange, rosterDone, rosterUnderWay, type WantedRoster } from "./roster-decision.ts";

const authority = generateKeyPairSync("ed25519");
const authorityKey = Buffer.from(authority.publicKey.export({ format: "jwk" }).x ?? "", "base64url").toString(
  "hex",
);
const signed = (bytes: Uint8Array): string => sign(null, bytes, authority.privateKey).toString("hex");
const DATE = new Date("2026-03-04T05:06:07.890Z");
const EVIDENCE = "ab".repeat(32);

const signer = (index: number) => ({
  index,
  id: `signer-${index}`,
  address: `signer-${index}:7000`,
  identityKey: index.toString(16).padStart(64, "a"),
  encryptionKey: index.toString(16).padStart(64, "b"),
});

const cluster = (signers: number, threshold: number): Roster => ({
  clusterId: "test",
  parameters: "INSECURE-TEST",
  threshold,
  authorityKey,
  signers: Array.from({ length: signers }, (_, position) => signer(position + 1)),
});

const NOTHING: WantedRoster = { add: 0, remove: [], putOut: [] };
const lost = (...numbers: number[]): WantedRoster["putOut"] =>
  numbers.map((number) => ({ id: `signer-${number}`, reason: { why: "lost" } }));

/** The roster of a change that has begun, which every process can read. */
const begun = (roster: Roster, wanted: Partial<WantedRoster>): Roster => {
  const plan = planRosterChange(roster, { ...NOTHING, ...wanted });
  const next = rosterUnderWay(roster, plan, plan.added.map(signer), DATE, signed);
  expect(isRoster(next)).toBe(true);
  return next;
};

const done = (roster: Roster): Roster => {
  const next = rosterDone(roster, DATE, signed);
  expect(isRoster(next)).toBe(true);
  return next;
};

const indices = (signers: readonly { readonly index: number }[]) => signers.map(({ index }) => index);

const refusal = (roster: Roster, wanted: Partial<WantedRoster>): string => {
  try {
    planRosterChange(roster, { ...NOTHING, ...wanted });
  } catch (error) {
    if (error instanceof LaunchError) return error.message;
    throw error;
  }
  return "it was not refused";
};

describe("a change of a roster", () => {
  it("adds signers, which hold keys from then on, and is done without a further entry", () => {
    const first = begun(cluster(5, 3), { add: 2 });
    expect(indices(holdersOf(first))).toEqual([1, 2, 3, 4, 5, 6, 7]);
    expect(first.change).toEqual({ threshold: 3, leaving: [], since: 0 });
    expect(first.changes).toMatchObject([{ renewals: 0, threshold: 3, added: [6, 7], removed: [] }]);
    const second = done(first);
    expect(second).toEqual({ ...first, change: undefined });
    expect(second).not.toHaveProperty("change");
  });

  it("keeps a signer that leaves in the roster until it is done", () => {
    const first = begun(cluster(5, 3), { remove: ["signer-2"] });
    expect(indices(first.signers)).toEqual([1, 2, 3, 4, 5]);
    expect(indices(holdersOf(first))).toEqual([1, 3, 4, 5]);
    expect(first.changes).toMatchObject([{ added: [], removed: [] }]);
    const second = done(first);
    expect(indices(second.signers)).toEqual([1, 3, 4, 5]);
    const { identityKey } = signer(2);
    expect(second.changes?.at(-1)).toMatchObject({
      threshold: 3,
      added: [],
      removed: [{ index: 2, id: "signer-2", identityKey, reason: { why: "left" } }],
    });
  });

  it("puts lost signers and cheats out at once, each with its reason", () => {
    const first = begun(cluster(6, 3), {
      add: 1,
      putOut: [...lost(5), { id: "signer-2", reason: { why: "cheated", evidence: EVIDENCE } }],
    });
    expect(indices(first.signers)).toEqual([1, 3, 4, 6, 7]);
    expect(first.changes?.[0]?.removed).toMatchObject([
      { index: 5, reason: { why: "lost" } },
      { index: 2, reason: { why: "cheated", evidence: EVIDENCE } },
    ]);
  });

  it("changes the threshold alone, and remembers that of keys that are not moved", () => {
    const first = begun(cluster(5, 3), { threshold: 4 });
    expect(first).toMatchObject({ threshold: 4, change: { threshold: 3 }, changes: [{ threshold: 3 }] });
    expect(begun(cluster(5, 3), { threshold: 2 })).toMatchObject({ threshold: 2, change: { threshold: 3 } });
  });

  it("gives no index twice", () => {
    const second = done(begun(cluster(5, 3), { remove: ["signer-5"] }));
    expect(indices(begun(second, { add: 1 }).signers)).toEqual([1, 2, 3, 4, 6]);
  });

  it("goes on from what earlier changes and renewals left", () => {
    const grown = done(begun(cluster(5, 3), { add: 1 }));
    const first = begun(grown, { add: 1, remove: ["signer-1"], threshold: 2 });
    expect(first.change).toEqual({ threshold: 3, leaving: [1], since: 1 });
    expect(done(first)).toMatchObject({ threshold: 2, changes: [{}, {}, {}] });
  });
});

describe("in the middle of a change", () => {
  const middle = begun(cluster(5, 3), { add: 1, remove: ["signer-1", "signer-2"], threshold: 4 });

  it("a signer can be put out: the change goes on without it", () => {
    const next = begun(middle, { putOut: lost(2) });
    expect(indices(next.signers)).toEqual([1, 3, 4, 5, 6]);
    expect(next.change).toEqual({ threshold: 3, leaving: [1], since: 0 });
    expect(next.changes).toMatchObject([
      { added: [6] },
      { threshold: 4, added: [], removed: [{ index: 2 }] },
    ]);
    expect(indices(done(next).signers)).toEqual([3, 4, 5, 6]);
  });

  it("the threshold can be lowered with it, and the lowest one is remembered", () => {
    const next = begun(middle, { putOut: lost(3), threshold: 2 });
    expect(next).toMatchObject({ threshold: 2, change: { threshold: 3, leaving: [1, 2] } });
    const lowered = begun(cluster(5, 3), { threshold: 2 });
    expect(begun(lowered, { putOut: lost(1), threshold: 3 }).change?.threshold).toBe(2);
  });

  it.each<[string, Partial<WantedRoster>]>([
    ["adds", { add: 1 }],
    ["lets another leave", { remove: ["signer-3"] }],
    ["changes the threshold", { threshold: 2 }],
    ["puts one out and adds", { add: 1, putOut: lost(3) }],
    ["puts one out and lets another leave", { remove: ["signer-3"], putOut: lost(4) }],
  ])("nothing else is begun that %s", (_, wanted) => {
    expect(refusal(middle, wanted)).toContain("under way");
  });

  it("holders of keys that were not moved are counted from the beginning of the change", () => {
    // signers 1 to 5 hold the old keys, which need three of them; 6 and 7 hold none yet
    const grown = begun(cluster(5, 3), { add: 2 });
    const fewer = begun(grown, { putOut: lost(1, 2) });
    expect(refusal(fewer, { putOut: lost(3) })).toContain("2 signers would be left that hold keys");
    // after the change, 6 and 7 hold all keys
    const settled = begun(done(grown), { putOut: lost(1, 2) });
    expect(indices(begun(settled, { putOut: lost(3) }).signers)).toEqual([4, 5, 6, 7]);
  });

  it("holders of the time before an earlier change are not counted: it is done", () => {
    const lowered = begun(done(begun(cluster(5, 4), { threshold: 2 })), { add: 1 });
    const cheats = [1, 2].map((number) => ({
      id: `signer-${number}`,
      reason: { why: "cheated", evidence: EVIDENCE } as const,
    }));
    expect(indices(begun(lowered, { putOut: cheats }).signers)).toEqual([3, 4, 5, 6]);
  });

  it("holders of keys that were moved already are counted, unless they are lost anyway", () => {
    const raised = begun(cluster(5, 2), { remove: ["signer-1", "signer-2"], threshold: 3 });
    const cheat = [{ id: "signer-3", reason: { why: "cheated", evidence: EVIDENCE } }] as const;
    expect(refusal(raised, { putOut: cheat, threshold: 2 })).toContain("keys of which 3 signers");
    expect(indices(begun(raised, { putOut: lost(3), threshold: 2 }).signers)).toEqual([1, 2, 4, 5]);
  });
});

describe("INV-9 a change is refused", () => {
  const full = (changes: number): Roster => {
    let roster = cluster(5, 3);
    for (let made = 0; made < changes; made += 1) {
      roster = rosterDone(
        rosterUnderWay(
          roster,
          planRosterChange(roster, { ...NOTHING, threshold: 3 - (roster.threshold % 2) }),
          [],
          DATE,
          () => "00".repeat(64),
        ),
        DATE,
        signed,
      );
    }
    return roster;
  };

  it.each<[string, Roster, Partial<WantedRoster>, string]>([
    ["that asks for nothing", cluster(5, 3), {}, "no change is asked for"],
    ["to the threshold of now", cluster(5, 3), { threshold: 3 }, "no change is asked for"],
    ["of an unknown signer", cluster(5, 3), { remove: ["signer-6"] }, "there is no signer signer-6"],
    ["of an unknown lost signer", cluster(5, 3), { putOut: lost(6) }, "there is no signer signer-6"],
    ["that names one twice", cluster(5, 3), { remove: ["signer-5"], putOut: lost(5) }, "named twice"],
    ["to more than 20", cluster(19, 3), { add: 2 }, "at most 20 signers, not 21"],
    ["to more than 20 that leave among them", cluster(20, 3), { add: 1, remove: ["signer-1"] }, "not 21"],
    ["to fewer than 2", cluster(2, 2), { remove: ["signer-1"], threshold: 2 }, "at least 2 signers"],
    ["to t of 1", cluster(5, 3), { threshold: 1 }, "is 2 to 5, not 1"],
    ["to t above the signers", cluster(5, 3), { add: 1, threshold: 7 }, "is 2 to 6, not 7"],
    ["that leaves fewer than t", cluster(5, 4), { remove: ["signer-1", "signer-2"] }, "is 2 to 3, not 4"],
    [
      "after which nobody can move keys",
      cluster(5, 3),
      { add: 3, putOut: lost(1, 2, 3) },
      "2 signers would be left",
    ],
    [
      "without the hash of its evidence",
      cluster(5, 3),
      { putOut: [{ id: "signer-1", reason: { why: "cheated", evidence: "proof" } }] },
      "is no SHA-256",
    ],
  ])("%s", (_, roster, wanted, message) => {
    expect(refusal(roster, wanted)).toContain(message);
  });

  it("that its history has no place for, with its end", () => {
    const almost = full(ROSTER_CHANGES_MAX - 1);
    expect(refusal(almost, { remove: ["signer-1"] })).toContain("keeps at most");
    expect(refusal(almost, { add: 1 })).toBe("it was not refused");
    expect(refusal(full(ROSTER_CHANGES_MAX), { add: 1 })).toContain("keeps at most");
  });

  it("that would use up the indices", () => {
    let roster = cluster(20, 2);
    for (const last of [20, 38, 56]) {
      const remove = Array.from({ length: 18 }, (_, at) => `signer-${last - at}`);
      roster = done(begun(roster, { remove }));
      if (last < 56) roster = done(begun(roster, { add: 18 }));
    }
    expect(indices(roster.signers)).toEqual([1, 2]);
    roster = done(begun(roster, { add: 2 }));
    expect(refusal(roster, { add: 7 })).toContain("64 signers in its whole life");
    expect(indices(begun(roster, { add: 6 }).signers).at(-1)).toBe(64);
  });

  it("that ends where none is under way", () => {
    expect(() => rosterDone(cluster(5, 3), DATE, signed)).toThrow("no change of the roster is under way");
  });
});
