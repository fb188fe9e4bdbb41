import { describe, expect, it } from "vitest";
import { decode, encode } from "../codec.ts";
import { type GroupPoint, multiplyGenerator } from "../curve.ts";
import type { PartyIndex } from "../fault.ts";
import { type KeyShare, keyShareCodec, publicKeyInfoCodec } from "../keygen/key-share.ts";
import { startPresigning } from "../presign/presign.ts";
import type { Redistributed } from "../redistribution/run.ts";
import { CGGMP24, FROST_BIP340, FROST_ED25519, FROST_TAPROOT, type Scheme } from "../scheme.ts";
import { Secret } from "../secret.ts";
import { startSigning } from "../sign/sign.ts";
import { isSignatureOf } from "../sign/signature.ts";
import { insecureAuxiliaryInfo, testParties, testParty } from "../testing/insecure-auxiliary.ts";
import { insecureSchemeShares } from "../testing/insecure-key-shares.ts";
import { choose, insecureMixesOf, insecureSecretOf } from "../testing/insecure-reconstruction.ts";
import { runLockstep } from "../testing/lockstep.ts";
import { outputsOf } from "../testing/presigning.ts";
import { runSessions, testConfigs, testSessionId } from "../testing/session-network.ts";
import { type ReshareConfig, startReshare } from "./reshare.ts";

const session = testSessionId("reshare");
const present = <T>(value: T | undefined): T => value ?? expect.fail("is not there");
const these = (...indices: readonly number[]): readonly PartyIndex[] => indices.map(testParty);

/** The dealers, the receivers, and the threshold of the receivers. */
type Change = Pick<ReshareConfig<never>, "dealers" | "receivers" | "threshold">;

/** The configuration of a party: dealers have their share, all others only the public part, decoded from bytes. */
const configOf = <P extends GroupPoint<P>>(
  shares: ReadonlyMap<PartyIndex, KeyShare<P>>,
  change: Change,
  self: PartyIndex,
): ReshareConfig<P> => {
  const [first] = shares.values();
  const { info } = present(first);
  const own = change.dealers.includes(self) ? shares.get(self) : undefined;
  if (own !== undefined) return { session, ...own, ...change };
  const codec = publicKeyInfoCodec(info.scheme);
  const decoded = decode(codec, encode(codec, info));
  return { session, self, info: decoded.ok ? decoded.value : expect.fail(decoded.reason), ...change };
};

const partiesOf = ({ dealers, receivers }: Change): readonly PartyIndex[] =>
  [...new Set([...dealers, ...receivers])].sort((a, b) => a - b);

/** Runs a reshare in real sessions. */
const reshare = <P extends GroupPoint<P>>(
  shares: ReadonlyMap<PartyIndex, KeyShare<P>>,
  change: Change,
): ReadonlyMap<PartyIndex, Redistributed<P>> =>
  outputsOf(
    runSessions<Redistributed<P>>({
      configs: testConfigs(partiesOf(change), session),
      start: ({ self }) => startReshare(configOf(shares, change, self)),
      seed: "reshare",
    }).outcomes,
  );

const holdersOf = <P extends GroupPoint<P>>(
  outputs: ReadonlyMap<PartyIndex, Redistributed<P>>,
): ReadonlyMap<PartyIndex, KeyShare<P>> =>
  new Map([...outputs].flatMap(([self, output]) => (output.kind === "holder" ? [[self, output.share]] : [])));

const checkReshare = <P extends GroupPoint<P>>(
  scheme: Scheme<P>,
  [t, n]: readonly [number, number],
  change: Change,
): void => {
  const before = insecureSchemeShares(scheme, t, testParties(n));
  const outputs = reshare(before, change);
  const after = holdersOf(outputs);
  const [old, renewed] = [[...before.values()], [...after.values()]];
  const key = insecureSecretOf(old.slice(0, t));
  const { info } = present(old[0]);

  it("keeps the key, its name, scheme and chain code; threshold and holders are the new ones, an epoch on", () => {
    for (const output of outputs.values()) {
      const { publicKey, publicShares, ...rest } = output.kind === "holder" ? output.share.info : output.info;
      const { scheme, keyId, chainCode, epoch } = info;
      const { threshold, receivers: parties } = change;
      expect(rest).toEqual({ scheme, keyId, chainCode, threshold, parties, epoch: epoch + 1 });
      expect(publicKey.equals(info.publicKey)).toBe(true);
    }
  });

  it("gives every receiver a share that decodes as one of the key, and nobody else", () => {
    expect([...after.keys()]).toEqual(change.receivers);
    for (const share of renewed) {
      expect(decode(keyShareCodec(scheme), encode(keyShareCodec(scheme), share)).ok).toBe(true);
    }
  });

  it("makes shares of which as many as the new threshold determine the key", () => {
    const quorums = [renewed.slice(0, change.threshold), renewed.slice(-change.threshold)];
    for (const quorum of quorums) expect(insecureSecretOf(quorum)).toBe(key);
  });

  it("INV-1 makes shares that determine nothing when they are fewer, or beside old ones in any mix", () => {
    for (const few of choose(renewed, change.threshold - 1)) expect(insecureSecretOf(few)).not.toBe(key);
    for (const count of new Set([t, change.threshold])) {
      const mixes = insecureMixesOf(old, renewed, count);
      expect(mixes.length).toBeGreaterThan(0);
      expect(mixes).not.toContain(key);
    }
  });
};

describe("re-provisioning a signer that lost its disk: any t deal to the same roster, under the same t", () => {
  checkReshare(CGGMP24, [3, 5], { dealers: these(1, 2, 5), receivers: these(1, 2, 3, 4, 5), threshold: 3 });

  it("gives the signer a share again, from public values alone", () => {
    const before = insecureSchemeShares(CGGMP24, 3, testParties(5));
    const change = { dealers: these(1, 2, 5), receivers: these(1, 2, 3, 4, 5), threshold: 3 };
    expect(configOf(before, change, testParty(4)).secretShare).toBeUndefined();
    const after = holdersOf(reshare(before, change));
    const quorum = these(2, 3, 4).map((self) => present(after.get(self)));
    const { info, secretShare } = present(quorum[2]);
    const point = multiplyGenerator(CGGMP24.curve, secretShare.reveal());
    expect(info.publicShares.get(testParty(4))?.equals(point)).toBe(true);
    expect(insecureSecretOf(quorum)).toBe(insecureSecretOf([...before.values()].slice(0, 3)));
  });
});

describe("a reshare from 2 of 3 to 3 of 5", () =>
  checkReshare(CGGMP24, [2, 3], { dealers: these(1, 3), receivers: these(1, 2, 3, 4, 5), threshold: 3 }));
describe("a reshare from 3 of 5 to 3 of 7", () =>
  checkReshare(CGGMP24, [3, 5], {
    dealers: these(2, 3, 4),
    receivers: these(1, 2, 3, 4, 5, 6, 7),
    threshold: 3,
  }));
describe("a reshare from 3 of 5 to 2 of 4 others", () =>
  checkReshare(CGGMP24, [3, 5], { dealers: these(1, 2, 4), receivers: these(6, 7, 8, 64), threshold: 2 }));
describe("a reshare that removes a member, who deals for the last time", () =>
  checkReshare(CGGMP24, [3, 5], { dealers: these(1, 2, 3), receivers: these(2, 3, 4, 5), threshold: 3 }));
describe("a reshare that removes a member, who has no part in it", () =>
  checkReshare(CGGMP24, [3, 5], { dealers: these(2, 3, 5), receivers: these(2, 3, 4, 5), threshold: 3 }));
describe("a reshare of an Ed25519 key", () =>
  checkReshare(FROST_ED25519, [2, 3], { dealers: these(1, 2), receivers: these(2, 3, 4), threshold: 2 }));
describe("a reshare of a BIP-340 key", () =>
  checkReshare(FROST_BIP340, [2, 3], { dealers: these(1, 3), receivers: these(2, 3, 4), threshold: 3 }));
describe("a reshare of a Taproot key", () =>
  checkReshare(FROST_TAPROOT, [2, 3], { dealers: these(2, 3), receivers: these(2, 3, 4), threshold: 2 }));

describe("those who received", () => {
  it("sign ECDSA under the key as it always was", () => {
    const before = insecureSchemeShares(CGGMP24, 2, testParties(3));
    const signers = these(3, 4);
    const after = holdersOf(reshare(before, { dealers: these(1, 2), receivers: signers, threshold: 2 }));
    const auxiliary = insecureAuxiliaryInfo(signers);
    const material = (self: PartyIndex) => ({
      key: present(after.get(self)),
      auxiliary: present(auxiliary.get(self)),
    });
    const presigning = signers.map(
      (self) => [self, startPresigning({ session, self, signers, ...material(self) })] as const,
    );
    const presignatures = outputsOf(runLockstep({ starts: new Map(presigning) }));
    const digest = new Uint8Array(32).fill(5);
    const signing = [...presignatures].map(
      ([self, presignature]) => [self, startSigning({ self, presignature, digest })] as const,
    );
    const { publicKey } = present(before.get(testParty(1))).info;
    for (const signature of outputsOf(runLockstep({ starts: new Map(signing) })).values()) {
      expect(isSignatureOf(publicKey, digest, signature)).toBe(true);
    }
  });
});

describe("a reshare that cannot be", () => {
  const before = insecureSchemeShares(CGGMP24, 2, testParties(3));
  const key = present(before.get(testParty(1)));
  const fit = { session, ...key, dealers: these(1, 2), receivers: these(1, 2, 3), threshold: 2 };
  const { secretShare: _, ...withoutShare } = fit;

  it.each<[string, ReshareConfig<(typeof key)["info"]["publicKey"]>]>([
    ["fewer than t dealers", { ...fit, dealers: these(1) }],
    ["more than t dealers", { ...fit, dealers: these(1, 2, 3) }],
    ["P10 a dealer twice", { ...fit, dealers: these(1, 1) }],
    ["dealers out of order", { ...fit, dealers: these(2, 1) }],
    ["a dealer that holds no share", { ...fit, dealers: these(1, 4) }],
    ["P10 a receiver twice", { ...fit, receivers: these(1, 2, 2) }],
    ["a threshold of one", { ...fit, threshold: 1 }],
    ["a threshold above the number of receivers", { ...fit, threshold: 4 }],
    ["a party that neither deals nor receives", { ...fit, self: testParty(9) }],
    ["a dealer without its share", withoutShare],
    ["a dealer with another's share", { ...fit, secretShare: new Secret(5n) }],
    ["a key of the last epoch that there is", { ...fit, info: { ...key.info, epoch: 2 ** 32 - 1 } }],
  ])("throws on %s, which is our own mistake", (_, unfit) => {
    expect(() => startReshare(unfit)).toThrow(RangeError);
  });
});

describe("P11 parties of one session with different inputs", () => {
  const before = insecureSchemeShares(CGGMP24, 2, testParties(3));
  const change = { dealers: these(1, 2), receivers: these(1, 2, 3), threshold: 2 };
  const lied = insecureSchemeShares(CGGMP24, 2, testParties(3), "of a liar");

  it.each<[string, (self: PartyIndex) => ReshareConfig<(typeof CGGMP24)["curve"]["generator"]>]>([
    ["of the new threshold", (self) => configOf(before, { ...change, threshold: self === 2 ? 3 : 2 }, self)],
    [
      "of the receivers",
      (self) => configOf(before, self === 2 ? { ...change, receivers: these(2, 3) } : change, self),
    ],
    [
      "of the key as it is, when one has no share",
      (self) => configOf(self === 3 ? lied : before, change, self),
    ],
  ])("%s never end with shares", (_, startOf) => {
    const outcomes = runLockstep({
      starts: new Map(testParties(3).map((self) => [self, startReshare(startOf(self))])),
    });
    for (const outcome of outcomes.values()) expect(outcome.kind).not.toBe("output");
  });
});
