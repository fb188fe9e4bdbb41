import { concatBytes, numberToBytesBE } from "@noble/curves/utils.js";
import { describe, expect, it } from "vitest";
import { decode, encode } from "../codec.ts";
import { type GroupPoint, multiplyGenerator, sampleScalarOf, scalarOf } from "../curve.ts";
import type { Entropy } from "../entropy.ts";
import type { PartyIndex } from "../fault.ts";
import { type KeyShare, keyShareCodec, type PublicKeyInfo } from "../keygen/key-share.ts";
import { keyDigest } from "../redistribution/key-digest.ts";
import { CGGMP24, FROST_BIP340, FROST_ED25519, FROST_TAPROOT, type Scheme } from "../scheme.ts";
import { Secret } from "../secret.ts";
import type { SessionId } from "../session/envelope.ts";
import { sessionId } from "../session/session-id.ts";
import { testParties, testParty } from "../testing/insecure-auxiliary.ts";
import { insecureSchemeShares } from "../testing/insecure-key-shares.ts";
import { choose, insecureMixesOf, insecureSecretOf } from "../testing/insecure-reconstruction.ts";
import { runLockstep } from "../testing/lockstep.ts";
import { outputsOf } from "../testing/presigning.ts";
import { seededEntropy } from "../testing/seeded-entropy.ts";
import { insecurePeerKeys, runSessions, testConfigs, testSessionId } from "../testing/session-network.ts";
import { startRefresh } from "./refresh.ts";

type Shares<P extends GroupPoint<P>> = ReadonlyMap<PartyIndex, KeyShare<P>>;

const session = testSessionId("refresh");
const present = <T>(value: T | undefined): T => value ?? expect.fail("is not there");

/** Runs real sessions in which each holder has its own share. */
const refresh = <P extends GroupPoint<P>>(shares: Shares<P>, seed = "refresh"): Shares<P> => {
  const { outcomes } = runSessions<KeyShare<P>>({
    configs: testConfigs([...shares.keys()], session),
    start: ({ self }) => startRefresh({ session, key: present(shares.get(self)) }),
    seed,
  });
  return outputsOf(outcomes);
};

const checkRefresh = <P extends GroupPoint<P>>(scheme: Scheme<P>, threshold: number, count: number): void => {
  const before = insecureSchemeShares(scheme, threshold, testParties(count));
  const after = refresh(before);
  const [old, renewed] = [[...before.values()], [...after.values()]];
  const key = insecureSecretOf(old.slice(0, threshold));

  it("keeps the key, its id, scheme, t, holders and chain code, and increments the epoch", () => {
    for (const [self, { info }] of after) {
      const { publicKey, publicShares, ...rest } = info;
      const { publicKey: oldKey, publicShares: _, ...oldRest } = present(before.get(self)).info;
      expect(rest).toEqual({ ...oldRest, epoch: oldRest.epoch + 1 });
      expect(publicKey.equals(oldKey)).toBe(true);
    }
  });

  it("gives every holder a new share, that decodes as one of the key", () => {
    for (const [self, share] of after) {
      expect(share.secretShare.reveal()).not.toBe(present(before.get(self)).secretShare.reveal());
      expect(decode(keyShareCodec(scheme), encode(keyShareCodec(scheme), share)).ok).toBe(true);
      expect(keyDigest(share.info)).toEqual(keyDigest(present(renewed[0]).info));
    }
  });

  it("makes shares of which any t determine the key", () => {
    for (const quorum of choose(renewed, threshold)) expect(insecureSecretOf(quorum)).toBe(key);
  });

  it("INV-1 makes shares that determine nothing beside old ones: t-1 old and one new, or any other mix", () => {
    const mixes = insecureMixesOf(old, renewed, threshold);
    expect(mixes.length).toBeGreaterThan(0);
    expect(mixes).not.toContain(key);
    for (const few of choose(renewed, threshold - 1)) expect(insecureSecretOf(few)).not.toBe(key);
  });
};

describe("a refresh of an ECDSA key, 2 of 2", () => checkRefresh(CGGMP24, 2, 2));
describe("a refresh of an ECDSA key, 3 of 5", () => checkRefresh(CGGMP24, 3, 5));
describe("a refresh of an Ed25519 key", () => checkRefresh(FROST_ED25519, 2, 3));
describe("a refresh of a BIP-340 key", () => checkRefresh(FROST_BIP340, 2, 3));
describe("a refresh of a Taproot key", () => checkRefresh(FROST_TAPROOT, 2, 3));

describe("a refresh after a refresh", () => {
  it("still has the same key, in the next epoch", () => {
    const first = insecureSchemeShares(CGGMP24, 2, testParties(3));
    const third = refresh(refresh(first, "one"), "two");
    expect(present(third.get(testParty(3))).info.epoch).toBe(2);
    const key = insecureSecretOf([...first.values()].slice(0, 2));
    expect(insecureSecretOf([...third.values()].slice(1))).toBe(key);
  });
});

describe("holders of different epochs", () => {
  const parties = testParties(3);
  const before = insecureSchemeShares(CGGMP24, 2, parties);
  const after = refresh(before);
  /** Party 2 missed a refresh. */
  const held = new Map(after).set(testParty(2), present(before.get(testParty(2))));

  /** The session id that a holder computes from its share. */
  const sessionOf = (info: PublicKeyInfo): SessionId =>
    sessionId({
      execution: concatBytes(session, keyDigest(info)),
      protocol: "refresh",
      keyId: info.keyId,
      epoch: info.epoch + 1,
      parties: parties.map((index) => ({ index, identity: insecurePeerKeys(index).identity })),
      threshold: info.threshold,
      total: parties.length,
      curve: info.scheme.curve.name,
    });

  it("INV-7 P11 are never in one session, so nobody is blamed, when the session id binds the key as it is", () => {
    const configs = new Map(
      [...held].map(([self, { info }]) => [self, present(testConfigs(parties, sessionOf(info)).get(self))]),
    );
    const { outcomes } = runSessions<KeyShare>({
      configs,
      start: (config) => startRefresh({ session: config.session, key: present(held.get(config.self)) }),
      seed: "epochs",
    });
    for (const outcome of outcomes.values()) expect(outcome).toEqual({ kind: "running", round: 1 });
  });

  it("never end with a share, even in one session", () => {
    const outcomes = runLockstep({
      starts: new Map([...held].map(([self, key]) => [self, startRefresh({ session, key })])),
    });
    for (const outcome of outcomes.values()) expect(outcome.kind).not.toBe("output");
  });

  it("never end with a share when they hold different thresholds: a refresh does not move t", () => {
    const lower = insecureSchemeShares(CGGMP24, 2, parties, "lower");
    const higher = insecureSchemeShares(CGGMP24, 3, parties, "lower");
    const mixed = new Map(higher).set(testParty(2), present(lower.get(testParty(2))));
    const outcomes = runLockstep({
      starts: new Map([...mixed].map(([self, key]) => [self, startRefresh({ session, key })])),
    });
    for (const outcome of outcomes.values()) expect(outcome.kind).not.toBe("output");
  });
});

describe("an impossible refresh", () => {
  const shares = insecureSchemeShares(CGGMP24, 2, testParties(2));
  const key = present(shares.get(testParty(1)));
  const withInfo = (change: Partial<PublicKeyInfo>): KeyShare => ({
    ...key,
    info: { ...key.info, ...change },
  });

  it.each([
    [
      "a share that is not that of the key",
      { ...key, secretShare: new Secret(key.secretShare.reveal() + 1n) },
    ],
    ["a share of somebody who holds none", { ...key, self: testParty(3) }],
    ["a share of the last epoch that there is", withInfo({ epoch: 2 ** 32 - 1 })],
    ["holders out of order", withInfo({ parties: [2, 1].map(testParty) })],
    ["a threshold above the number of holders", withInfo({ threshold: 3 })],
  ])("throws on %s, which is our own mistake", (_, unfit) => {
    expect(() => startRefresh({ session, key: unfit })).toThrow(RangeError);
  });

  it("P9 aborts and names nobody when a new share is zero", () => {
    const { curve } = CGGMP24;
    const [first, second] = testParties(2);
    const theirs = sampleScalarOf(curve, seededEntropy("second"));
    const ours = scalarOf(curve, -key.secretShare.reveal() - theirs); // x_1 + φ_1(1) + φ_2(1) = 0
    const rest = seededEntropy("first");
    let drawn: Uint8Array | undefined = numberToBytesBE(ours - 1n, 32);
    const forced: Entropy = (length) => {
      const bytes = drawn ?? rest(length);
      drawn = undefined;
      return bytes;
    };
    const entropies = new Map([
      [first, forced],
      [second, seededEntropy("second")],
    ]);
    const outcomes = runLockstep({
      starts: new Map([...shares].map(([self, share]) => [self, startRefresh({ session, key: share })])),
      entropy: (party) => present(entropies.get(party)),
    });
    for (const outcome of outcomes.values()) {
      expect(outcome).toEqual({ kind: "abort", check: "refresh/2 a public share is the identity" });
    }
  });

  it("P19 aborts when the public shares were not of the key to begin with", () => {
    const publicKey = multiplyGenerator(CGGMP24.curve, 7n);
    const outcomes = runLockstep({
      starts: new Map(
        [...shares].map(([self, share]) => [
          self,
          startRefresh({ session, key: { ...share, info: { ...share.info, publicKey } } }),
        ]),
      ),
    });
    for (const outcome of outcomes.values()) {
      expect(outcome).toEqual({ kind: "abort", check: "refresh/2 the new shares are not of the key" });
    }
  });
});

describe("the number of the new epoch", () => {
  const shares = insecureSchemeShares(CGGMP24, 2, testParties(3));
  const [first] = shares.values();
  const old = present(first).info.epoch;

  it("is the caller's, where attempts before have used up the next", () => {
    const { outcomes } = runSessions<KeyShare>({
      configs: testConfigs([...shares.keys()], session),
      start: ({ self }) => startRefresh({ session, key: present(shares.get(self)), nextEpoch: old + 7 }),
      seed: "later epoch",
    });
    expect([...outputsOf(outcomes).values()].map(({ info }) => info.epoch)).toEqual([
      old + 7,
      old + 7,
      old + 7,
    ]);
  });

  it.each([old, old - 1, 2 ** 32, old + 0.5])(
    "is above the old one, and fits its encoding: not %d",
    (nextEpoch) => {
      expect(() => startRefresh({ session, key: present(first), nextEpoch })).toThrow(RangeError);
    },
  );
});
