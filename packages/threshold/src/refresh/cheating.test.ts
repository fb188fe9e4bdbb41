import { describe, expect, it } from "vitest";
import { decode, encode, scalarCodec } from "../codec.ts";
import { type Point, SECP256K1 } from "../curve.ts";
import { GENERATOR, scalar } from "../group.ts";
import type { KeyShare } from "../keygen/key-share.ts";
import { type DealingOpening, dealingCommitment, dealingOpeningCodec } from "../redistribution/messages.ts";
import { CGGMP24 } from "../scheme.ts";
import { ENVELOPE_KIND, type Envelope, signEnvelope } from "../session/envelope.ts";
import { testParties, testParty } from "../testing/insecure-auxiliary.ts";
import { insecureSchemeShares } from "../testing/insecure-key-shares.ts";
import { type LockstepOutcome, type Mutate, type Passing, runLockstep } from "../testing/lockstep.ts";
import {
  insecurePartySecrets,
  runSessions,
  type Transit,
  testConfigs,
  testSessionId,
} from "../testing/session-network.ts";
import { refreshRun, startRefresh } from "./refresh.ts";

const THRESHOLD = 3;
const session = testSessionId("refresh with a cheat");
const parties = testParties(3);
const [alice, cheat, carol] = [testParty(1), testParty(2), testParty(3)];
const shares = insecureSchemeShares(CGGMP24, THRESHOLD, parties);
const keyOf = (self: number): KeyShare => shares.get(testParty(self)) ?? expect.fail();

const run = (mutate: Mutate, inSession = session) =>
  runLockstep<KeyShare>({
    starts: new Map(parties.map((self) => [self, startRefresh({ session: inSession, key: keyOf(self) })])),
    mutate,
  });
const blamed = (outcome: LockstepOutcome<KeyShare> | undefined) =>
  outcome?.kind === "fault" ? outcome.accusation : outcome?.kind;

type Change = (payload: Uint8Array) => Uint8Array;

const from =
  (round: number, kind: Passing["kind"], change: Change): Mutate =>
  (passing) =>
    passing.from === cheat && passing.round === round && passing.kind === kind
      ? change(passing.payload)
      : passing.payload;
const opening = dealingOpeningCodec(SECP256K1, THRESHOLD);
const read = (payload: Uint8Array): DealingOpening<Point> => {
  const opened = decode(opening, payload);
  return opened.ok ? opened.value : expect.fail(opened.reason);
};
const reopen =
  (change: (opened: DealingOpening<Point>) => DealingOpening<Point>): Change =>
  (payload) =>
    encode(opening, change(read(payload)));
const nudge: Change = (payload) => {
  const decoded = decode(scalarCodec, payload);
  return decoded.ok ? encode(scalarCodec, scalar(decoded.value + 1n)) : expect.fail(decoded.reason);
};
const flip: Change = (payload) => payload.map((byte, at) => (at === payload.length - 1 ? byte ^ 1 : byte));
const empty: Change = () => new Uint8Array(0);
const pointBytes = SECP256K1.pointBytes;

describe("a refresh with a cheating holder", () => {
  it.each<[string, string, Mutate]>([
    ["a commitment of the wrong length", "refresh/1 decoding", from(1, "broadcast", (p) => p.slice(1))],
    ["no commitment", "refresh/1 decoding", from(1, "broadcast", empty)],
    ["another commitment than it opens", "refresh/2 opening of V", from(1, "broadcast", flip)],
    [
      "P10 a polynomial of higher degree, or one with a constant term",
      "payload size",
      from(2, "broadcast", (p) => Uint8Array.from([...GENERATOR.toBytes(), ...p])),
    ],
    [
      "P10 a polynomial of lower degree",
      "refresh/2 decoding",
      from(2, "broadcast", (p) => p.slice(pointBytes)),
    ],
    ["an empty opening", "refresh/2 decoding", from(2, "broadcast", empty)],
    [
      "the identity among its coefficients",
      "refresh/2 decoding",
      from(2, "broadcast", (p) => p.map((byte, at) => (at < pointBytes ? 0 : byte))),
    ],
    [
      "another polynomial than it committed to",
      "refresh/2 opening of V",
      from(
        2,
        "broadcast",
        reopen((o) => ({ ...o, coefficients: [...o.coefficients].reverse() })),
      ),
    ],
    ["another mask than it committed to", "refresh/2 opening of V", from(2, "broadcast", flip)],
    ["shares of another number than zero", "refresh/2 Feldman check", from(2, "direct", nudge)],
    ["shares of zero", "refresh/2 Feldman check", from(2, "direct", () => new Uint8Array(32))],
    ["no shares", "refresh/2 decoding of the share", from(2, "direct", empty)],
    [
      "P20 shares that are not canonical",
      "refresh/2 decoding of the share",
      from(2, "direct", () => new Uint8Array(32).fill(0xff)),
    ],
    ["a proof that does not verify", "refresh/3 Πsch", from(3, "broadcast", flip)],
    ["no proof", "refresh/3 decoding", from(3, "broadcast", empty)],
    ["the confirmation of other shares", "refresh/4 confirmation", from(4, "broadcast", flip)],
    ["no confirmation", "refresh/4 confirmation", from(4, "broadcast", empty)],
  ])("INV-7 that sends %s is named by all honest ones", (_, check, mutate) => {
    const outcomes = run(mutate);
    for (const honest of [alice, carol]) {
      expect(blamed(outcomes.get(honest))).toMatchObject({
        culprit: cheat,
        check: expect.stringContaining(check),
      });
    }
  });

  it("INV-7 that commits to a polynomial which it does not deal from is named by all honest ones", () => {
    const bent = reopen((o) => ({ ...o, coefficients: o.coefficients.map((point) => point.add(GENERATOR)) }));
    const committed = refreshRun({ session, key: keyOf(cheat) });
    let shown: Uint8Array = new Uint8Array(0);
    run(from(2, "broadcast", (payload) => (shown = bent(payload))));
    const outcomes = run((passing) => {
      if (passing.from !== cheat || passing.kind !== "broadcast" || passing.round > 2) return passing.payload;
      return passing.round === 2 ? shown : dealingCommitment(committed, cheat, read(shown));
    });
    for (const honest of [alice, carol]) {
      expect(blamed(outcomes.get(honest))).toMatchObject({
        culprit: cheat,
        check: "refresh/2 Feldman check of the share",
      });
    }
  });

  it("that gives one party a wrong share is named by that party", () => {
    const outcomes = run((passing) =>
      passing.from === cheat && passing.kind === "direct" && passing.to === carol
        ? nudge(passing.payload)
        : passing.payload,
    );
    expect(blamed(outcomes.get(carol))).toMatchObject({ culprit: cheat });
    expect(outcomes.get(alice)).toMatchObject({ kind: "waiting", missing: [carol] });
  });

  it("P11 cannot replay what it sent in another session", () => {
    const said = new Map<number, Uint8Array>();
    run((passing) => {
      if (passing.from === cheat && passing.kind === "broadcast") said.set(passing.round, passing.payload);
      return passing.payload;
    }, testSessionId("another refresh"));
    for (const [round, check] of [
      [1, "refresh/2 opening of V"],
      [3, "refresh/3 Πsch"],
      [4, "refresh/4 confirmation of the new shares"],
    ] as const) {
      const outcomes = run(from(round, "broadcast", () => said.get(round) ?? expect.fail()));
      expect(blamed(outcomes.get(alice))).toMatchObject({ culprit: cheat, check });
    }
  });

  it("P11 cannot pass off another's proof as its own", () => {
    let stolen: Uint8Array = new Uint8Array(0);
    const outcomes = run((passing) => {
      if (passing.round === 3 && passing.from === alice) stolen = passing.payload;
      return passing.round === 3 && passing.from === cheat ? stolen : passing.payload;
    });
    expect(blamed(outcomes.get(carol))).toMatchObject({ culprit: cheat, check: "refresh/3 Πsch" });
  });

  it("leaves the others waiting, with the old epoch as it was, when it falls silent before it confirms", () => {
    const outcomes = run((passing) =>
      passing.from === cheat && passing.round === 4 ? undefined : passing.payload,
    );
    expect(outcomes.get(alice)).toEqual({ kind: "waiting", round: 4, missing: [cheat] });
    expect(keyOf(alice).secretShare.reveal()).toBeGreaterThan(0n);
  });
});

describe("P12 a holder that tells others different things", () => {
  const equivocate =
    (round: number) =>
    ({ to, envelope }: Transit): readonly Transit[] => {
      const isLie =
        to === carol &&
        envelope.from === cheat &&
        envelope.round === round &&
        envelope.kind === ENVELOPE_KIND.broadcast;
      if (!isLie) return [{ to, envelope }];
      const other: Envelope = signEnvelope(
        envelope,
        flip(envelope.payload),
        insecurePartySecrets(cheat).identity,
      );
      return [{ to, envelope: other }];
    };

  it.each([
    ["commitments", 1],
    ["confirmations", 4],
  ])("INV-7 in its %s is named by all honest ones, with both that it signed", (_, round) => {
    const { outcomes } = runSessions<KeyShare>({
      configs: testConfigs(parties, session),
      start: ({ self }) => startRefresh({ session, key: keyOf(self) }),
      seed: "equivocation",
      wire: equivocate(round),
    });
    for (const honest of [alice, carol]) {
      expect(outcomes.get(honest)).toMatchObject({
        kind: "fault",
        fault: { culprit: cheat, check: `round ${round}: different broadcasts to different parties` },
      });
    }
  });
});
