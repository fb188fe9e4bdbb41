import { describe, expect, it } from "vitest";
import { decode, encode, scalarCodec } from "../codec.ts";
import { type Point, SECP256K1 } from "../curve.ts";
import type { PartyIndex } from "../fault.ts";
import { GENERATOR, multiplyBase, POINT_BYTES, scalar } from "../group.ts";
import { CGGMP24 } from "../scheme.ts";
import type { Step } from "../session/round.ts";
import { testParties, testParty } from "../testing/insecure-auxiliary.ts";
import { choose, insecureSecretOf } from "../testing/insecure-reconstruction.ts";
import { type LockstepOutcome, type Mutate, type Passing, runLockstep } from "../testing/lockstep.ts";
import { seededEntropy } from "../testing/seeded-entropy.ts";
import { runSessions, testConfigs, testSessionId } from "../testing/session-network.ts";
import type { KeyShare } from "./key-share.ts";
import { startKeyGeneration } from "./keygen.ts";
import { type KeyOpening, keyOpeningCodec } from "./opening.ts";

const session = testSessionId("keygen");

const configFor = (self: PartyIndex, parties: readonly PartyIndex[], threshold: number) => ({
  session,
  self,
  parties,
  threshold,
  keyId: "key-1",
  epoch: 0,
  scheme: CGGMP24,
});

const outputsOf = (outcomes: Iterable<{ readonly kind: string }>): readonly KeyShare[] => {
  const isOutput = (outcome: { readonly kind: string }): outcome is { kind: "output"; output: KeyShare } =>
    outcome.kind === "output";
  return [...outcomes].map((outcome) => (isOutput(outcome) ? outcome.output : expect.fail(outcome.kind)));
};

describe.each([
  [2, 2],
  [2, 3],
  [3, 5],
  [5, 5],
])("key generation %i of %i, over real sessions", (threshold, count) => {
  const parties = testParties(count);
  const { outcomes } = runSessions<KeyShare>({
    configs: testConfigs(parties, session),
    start: ({ self }) => startKeyGeneration(configFor(self, parties, threshold)),
    seed: `keygen ${threshold} of ${count}`,
  });
  const shares = outputsOf(outcomes.values());

  it("gives everybody the same public key, public shares and chain code", () => {
    const [first = expect.fail()] = shares;
    for (const { info } of shares) {
      expect(info.publicKey.equals(first.info.publicKey)).toBe(true);
      expect(info.chainCode).toEqual(first.info.chainCode);
      expect([...info.publicShares.keys()]).toEqual(parties);
      for (const [party, point] of info.publicShares) {
        expect(first.info.publicShares.get(party)?.equals(point)).toBe(true);
      }
    }
  });

  it("gives each its own share, as the public shares say", () => {
    for (const { self, info, secretShare } of shares) {
      expect(info.publicShares.get(self)?.equals(multiplyBase(secretShare.reveal()))).toBe(true);
    }
    expect(new Set(shares.map(({ secretShare }) => secretShare.reveal())).size).toBe(count);
  });

  it("makes a key that any t shares determine", () => {
    for (const quorum of choose(shares, threshold)) {
      expect(multiplyBase(insecureSecretOf(quorum)).equals(quorum[0]?.info.publicKey ?? GENERATOR)).toBe(
        true,
      );
    }
  });

  it("INV-1 makes a key that t-1 shares do not determine", () => {
    const [first = expect.fail()] = shares;
    for (const few of choose(shares, threshold - 1)) {
      expect(multiplyBase(insecureSecretOf(few)).equals(first.info.publicKey)).toBe(false);
    }
  });
});

describe("key generation with a cheating party", () => {
  const parties = testParties(3);
  const threshold = 2;
  const [alice, cheat, carol] = [testParty(1), testParty(2), testParty(3)];
  const opening = keyOpeningCodec(SECP256K1, threshold);

  const run = (mutate: Mutate): ReadonlyMap<PartyIndex, LockstepOutcome<KeyShare>> =>
    runLockstep<KeyShare>({
      starts: new Map(parties.map((self) => [self, startKeyGeneration(configFor(self, parties, threshold))])),
      mutate,
    });
  const blamed = (outcome: LockstepOutcome<KeyShare> | undefined) =>
    outcome?.kind === "fault" ? outcome.accusation : outcome?.kind;

  const from =
    (round: number, kind: Passing["kind"], change: (payload: Uint8Array) => Uint8Array): Mutate =>
    (passing) =>
      passing.from === cheat && passing.round === round && passing.kind === kind
        ? change(passing.payload)
        : passing.payload;
  const reopen = (change: (opened: KeyOpening<Point>) => KeyOpening<Point>) => (payload: Uint8Array) => {
    const opened = decode(opening, payload);
    return opened.ok ? encode(opening, change(opened.value)) : expect.fail(opened.reason);
  };
  const nudge = (payload: Uint8Array): Uint8Array => {
    const decoded = decode(scalarCodec, payload);
    return decoded.ok ? encode(scalarCodec, scalar(decoded.value + 1n)) : expect.fail(decoded.reason);
  };
  const flip = (payload: Uint8Array): Uint8Array => payload.map((byte, at) => (at === 0 ? byte ^ 1 : byte));
  const longer = (payload: Uint8Array): Uint8Array => {
    const point = payload.slice(32, 32 + POINT_BYTES);
    return Uint8Array.from([...payload.slice(0, 32), ...point, ...payload.slice(32)]);
  };
  const shorter = (payload: Uint8Array): Uint8Array =>
    Uint8Array.from([...payload.slice(0, 32), ...payload.slice(32 + POINT_BYTES)]);

  it.each<[string, string, Mutate]>([
    ["a commitment of the wrong length", "keygen/1 decoding", from(1, "broadcast", (p) => p.slice(1))],
    ["another commitment than it opens", "keygen/2 opening of V", from(1, "broadcast", flip)],
    ["P10 a polynomial of higher degree", "payload size", from(2, "broadcast", longer)],
    ["P10 a polynomial of lower degree", "keygen/2 decoding", from(2, "broadcast", shorter)],
    ["an empty opening", "keygen/2 decoding", from(2, "broadcast", () => new Uint8Array(0))],
    [
      "the identity among its coefficients",
      "keygen/2 decoding",
      from(2, "broadcast", (p) => p.map((byte, at) => (at >= 32 && at < 65 ? 0 : byte))),
    ],
    [
      "another polynomial than it committed to",
      "keygen/2 opening of V",
      from(
        2,
        "broadcast",
        reopen((o) => ({ ...o, polynomial: o.polynomial.map((s) => s.add(GENERATOR)) })),
      ),
    ],
    [
      "another joint randomness than it committed to",
      "keygen/2 opening of V",
      from(
        2,
        "broadcast",
        reopen((o) => ({ ...o, rid: flip(o.rid) })),
      ),
    ],
    [
      "another chain code than it committed to",
      "keygen/2 opening of V",
      from(
        2,
        "broadcast",
        reopen((o) => ({ ...o, chainCode: flip(o.chainCode) })),
      ),
    ],
    [
      "another Schnorr commitment than it committed to",
      "keygen/2 opening of V",
      from(
        2,
        "broadcast",
        reopen((o) => ({ ...o, schnorr: o.schnorr.negate() })),
      ),
    ],
    ["shares off its polynomial", "keygen/2 Feldman check", from(2, "direct", nudge)],
    ["shares of zero", "keygen/2 Feldman check", from(2, "direct", () => new Uint8Array(32))],
    [
      "P20 shares that are not canonical",
      "keygen/2 decoding of the share",
      from(2, "direct", () => new Uint8Array(32).fill(0xff)),
    ],
    ["a proof that does not verify", "keygen/3 Πsch", from(3, "broadcast", nudge)],
    ["an empty proof", "keygen/3 decoding", from(3, "broadcast", () => new Uint8Array(0))],
    ["the confirmation of another key", "keygen/4 confirmation", from(4, "broadcast", flip)],
    ["an empty confirmation", "keygen/4 confirmation", from(4, "broadcast", () => new Uint8Array(0))],
  ])("INV-7 that sends %s is named by all honest ones", (_, check, mutate) => {
    const outcomes = run(mutate);
    for (const honest of [alice, carol]) {
      expect(blamed(outcomes.get(honest))).toMatchObject({
        culprit: cheat,
        check: expect.stringContaining(check),
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
    expect(outcomes.get(alice)?.kind).toBe("waiting");
  });

  it("P11 cannot replay its proof of another session", () => {
    let stolen: Uint8Array = new Uint8Array(0);
    const other = runLockstep<KeyShare>({
      starts: new Map(
        parties.map((self) => [
          self,
          startKeyGeneration({ ...configFor(self, parties, threshold), session: testSessionId("other") }),
        ]),
      ),
      mutate: (passing) => {
        if (passing.round === 3 && passing.from === cheat) stolen = passing.payload;
        return passing.payload;
      },
    });
    expect(outputsOf(other.values())).toHaveLength(3);
    const outcomes = run(from(3, "broadcast", () => stolen));
    expect(blamed(outcomes.get(alice))).toMatchObject({ culprit: cheat, check: "keygen/3 Πsch" });
  });
  it("leaves the others waiting, with nothing made, when it falls silent before it confirms", () => {
    const outcomes = run((passing) =>
      passing.from === cheat && passing.round === 4 ? undefined : passing.payload,
    );
    expect(outcomes.get(alice)).toEqual({ kind: "waiting", round: 4, missing: [cheat] });
  });
});

describe("key generation started with an unfit configuration", () => {
  const parties = testParties(3);
  const fit = configFor(testParty(1), parties, 2);

  it.each([
    ["a threshold of one", { threshold: 1 }],
    ["a threshold above the number of parties", { threshold: 4 }],
    ["a fractional threshold", { threshold: 2.5 }],
    ["parties without us", { self: testParty(4) }],
    ["a key id that is too long", { keyId: "ü".repeat(200) }],
  ])("throws on %s, which is our own mistake", (_, change) => {
    expect(() => startKeyGeneration({ ...fit, ...change })(seededEntropy("any"))).toThrow(RangeError);
  });

  it("makes the same first message from the same entropy and another from other entropy", () => {
    const first = (seed: string): Step<KeyShare> => startKeyGeneration(fit)(seededEntropy(seed));
    const payload = (step: Step<KeyShare>) => (step.kind === "next" ? step.messages[0]?.payload : undefined);
    expect(payload(first("a"))).toEqual(payload(first("a")));
    expect(payload(first("a"))).not.toEqual(payload(first("b")));
  });
});
