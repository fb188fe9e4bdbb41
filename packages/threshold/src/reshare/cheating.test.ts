import { describe, expect, it } from "vitest";
import { decode, encode, scalarCodec } from "../codec.ts";
import { SECP256K1 } from "../curve.ts";
import type { PartyIndex } from "../fault.ts";
import { GENERATOR, scalar } from "../group.ts";
import { dealingCommitment, dealingOpeningCodec } from "../redistribution/messages.ts";
import type { Redistributed } from "../redistribution/run.ts";
import { CGGMP24 } from "../scheme.ts";
import { testParties, testParty } from "../testing/insecure-auxiliary.ts";
import { insecureSchemeShares } from "../testing/insecure-key-shares.ts";
import { type LockstepOutcome, type Mutate, type Passing, runLockstep } from "../testing/lockstep.ts";
import { testSessionId } from "../testing/session-network.ts";
import { type ReshareConfig, reshareRun, startReshare } from "./reshare.ts";

const session = testSessionId("reshare with a cheat");
const shares = insecureSchemeShares(CGGMP24, 2, testParties(3));
/**
 * Four roles: deals and is released; deals and receives; holds a share and receives; receives without an
 * earlier share.
 */
const [released, both, receiver, newcomer] = [testParty(1), testParty(2), testParty(3), testParty(4)];
const parties = testParties(4);
const change = { dealers: [1, 2].map(testParty), receivers: [2, 3, 4].map(testParty), threshold: 3 };

type Output = Redistributed<typeof GENERATOR>;

const configOf = (self: PartyIndex): ReshareConfig<typeof GENERATOR> => {
  const { info, secretShare } = shares.get(self) ?? shares.get(testParty(1)) ?? expect.fail();
  const config = { session, self, info, ...change };
  return change.dealers.includes(self) ? { ...config, secretShare } : config;
};
const run = (mutate: Mutate) =>
  runLockstep<Output>({
    starts: new Map(parties.map((self) => [self, startReshare(configOf(self))])),
    mutate,
  });
const blamed = (outcome: LockstepOutcome<Output> | undefined) =>
  outcome?.kind === "fault" ? outcome.accusation : outcome?.kind;

type Lie = (payload: Uint8Array) => Uint8Array;

const from =
  (cheat: PartyIndex, round: number, kind: Passing["kind"], lie: Lie): Mutate =>
  (passing) =>
    passing.from === cheat && passing.round === round && passing.kind === kind
      ? lie(passing.payload)
      : passing.payload;
const opening = dealingOpeningCodec(SECP256K1, change.threshold);
const nudge: Lie = (payload) => {
  const decoded = decode(scalarCodec, payload);
  return decoded.ok ? encode(scalarCodec, scalar(decoded.value + 1n)) : payload; // an empty message stays empty
};
const flip: Lie = (payload) => payload.map((byte, at) => (at === payload.length - 1 ? byte ^ 1 : byte));
const empty: Lie = () => new Uint8Array(0);
const word: Lie = () => Uint8Array.of(1);

type Case = readonly [string, string, PartyIndex, Mutate];

describe("a reshare with a cheat", () => {
  it.each<Case>([
    ["a dealer without a commitment", "reshare/1 decoding", both, from(both, 1, "broadcast", empty)],
    ["a dealer that opens another", "reshare/2 opening of V", released, from(released, 1, "broadcast", flip)],
    [
      "P10 a dealer of a polynomial of higher degree, or of one with its own constant term",
      "payload size",
      both,
      from(both, 2, "broadcast", (p) => Uint8Array.from([...GENERATOR.toBytes(), ...p])),
    ],
    [
      "P10 a dealer of a polynomial of lower degree",
      "reshare/2 decoding",
      both,
      from(both, 2, "broadcast", (p) => p.slice(SECP256K1.pointBytes)),
    ],
    ["a dealer that opens nothing", "reshare/2 decoding", released, from(released, 2, "broadcast", empty)],
    ["a receiver that proves nothing", "reshare/3 decoding", newcomer, from(newcomer, 3, "broadcast", empty)],
    ["a receiver with a wrong proof", "reshare/3 Πsch", receiver, from(receiver, 3, "broadcast", flip)],
    [
      "a released dealer that confirms other shares",
      "reshare/4 confirmation",
      released,
      from(released, 4, "broadcast", flip),
    ],
    [
      "a receiver that confirms other shares",
      "reshare/4 confirmation",
      newcomer,
      from(newcomer, 4, "broadcast", flip),
    ],
    ["a receiver that commits", "reshare/1 decoding", newcomer, from(newcomer, 1, "broadcast", word)],
    ["a receiver that opens", "reshare/2 decoding", receiver, from(receiver, 2, "broadcast", word)],
    ["a receiver that deals", "reshare/2 decoding", receiver, from(receiver, 2, "direct", word)],
    ["a released dealer that proves", "reshare/3 decoding", released, from(released, 3, "broadcast", word)],
  ])("INV-7 %s is named by all honest ones", (_, check, cheat, mutate) => {
    const outcomes = run(mutate);
    for (const honest of parties.filter((party) => party !== cheat)) {
      expect(blamed(outcomes.get(honest))).toMatchObject({
        culprit: cheat,
        check: expect.stringContaining(check),
      });
    }
  });

  it.each<Case>([
    [
      "deals out another secret than its part of the key",
      "reshare/2 Feldman check of the share",
      released,
      from(released, 2, "direct", nudge),
    ],
    [
      "deals nothing",
      "reshare/2 decoding of the share: message ends too early",
      both,
      from(both, 2, "direct", empty),
    ],
    [
      "P20 deals shares that are not canonical",
      "reshare/2 decoding of the share: scalar not below the group order",
      both,
      from(both, 2, "direct", (p) => new Uint8Array(p.length).fill(0xff)),
    ],
  ])("INV-7 a dealer that %s is named by all honest receivers", (_, check, cheat, mutate) => {
    const outcomes = run(mutate);
    const honest = change.receivers.filter((party) => party !== cheat);
    for (const party of honest) expect(blamed(outcomes.get(party))).toMatchObject({ culprit: cheat, check });
    const others = parties.filter((party) => party !== cheat && !honest.includes(party));
    for (const party of others) expect(outcomes.get(party)).toMatchObject({ kind: "waiting", round: 3 });
  });

  it("INV-7 a dealer that gives a share to one who is to have none is named by that one", () => {
    const outcomes = run((passing) =>
      passing.from === both && passing.to === released && passing.kind === "direct"
        ? new Uint8Array(32)
        : passing.payload,
    );
    expect(blamed(outcomes.get(released))).toMatchObject({
      culprit: both,
      check: expect.stringContaining("reshare/2 decoding"),
    });
  });

  it("INV-7 a dealer that commits to another polynomial than it deals from is named by all receivers", () => {
    let shown: Uint8Array = new Uint8Array(0);
    run(from(both, 2, "broadcast", (payload) => (shown = payload)));
    const opened = decode(opening, shown);
    const { coefficients, mask } = opened.ok ? opened.value : expect.fail(opened.reason);
    const bent = { coefficients: coefficients.map((point) => point.negate()), mask };
    const outcomes = run((passing) => {
      if (passing.from !== both || passing.kind !== "broadcast" || passing.round > 2) return passing.payload;
      return passing.round === 2
        ? encode(opening, bent)
        : dealingCommitment(reshareRun(configOf(both)), both, bent);
    });
    for (const party of [receiver, newcomer]) {
      expect(blamed(outcomes.get(party))).toMatchObject({
        culprit: both,
        check: "reshare/2 Feldman check of the share",
      });
    }
  });

  it("leaves the others waiting, with the old epoch as it was, when a receiver falls silent", () => {
    const outcomes = run((passing) =>
      passing.from === newcomer && passing.round === 4 ? undefined : passing.payload,
    );
    for (const honest of change.dealers) {
      expect(outcomes.get(honest)).toEqual({ kind: "waiting", round: 4, missing: [newcomer] });
    }
  });
});
