import { createPublicKey, verify } from "node:crypto";
import { ed25519 } from "@noble/curves/ed25519.js";
import { schnorr, secp256k1 } from "@noble/curves/secp256k1.js";
import { bytesToNumberBE } from "@noble/curves/utils.js";
import { describe, expect, it, test } from "vitest";
import type { GroupPoint } from "../curve.ts";
import type { PartyIndex } from "../fault.ts";
import type { KeyShare } from "../keygen/key-share.ts";
import { startKeyGeneration } from "../keygen/keygen.ts";
import { publicKeyOf } from "../public-key.ts";
import { FROST_BIP340, FROST_ED25519, FROST_TAPROOT, type Scheme } from "../scheme.ts";
import { frostConfig, frostStarts } from "../testing/frost-starts.ts";
import { testParties, testParty } from "../testing/insecure-auxiliary.ts";
import { insecureKeyShares, insecureSchemeShares } from "../testing/insecure-key-shares.ts";
import { runLockstep } from "../testing/lockstep.ts";
import { outputsOf } from "../testing/presigning.ts";
import { seededEntropy } from "../testing/seeded-entropy.ts";
import { runSessions, testConfigs, testSessionId } from "../testing/session-network.ts";
import { taprootOutputKey } from "./bip340-suites.ts";
import { startFrostSigning } from "./frost-signing.ts";
import { FROST_MESSAGE_BYTES_MAX, type FrostSigningConfig } from "./run.ts";

type Verify = (signature: Uint8Array, message: Uint8Array, publicKey: Uint8Array) => boolean;

const parties = testParties(5);
const message = new TextEncoder().encode("pay Bob one bitcoin; 32 bytes  !");

/** Every choice of three of five. */
const quorums: readonly (readonly PartyIndex[])[] = parties.flatMap((a) =>
  parties.filter((b) => b > a).flatMap((b) => parties.filter((c) => c > b).map((c) => [a, b, c])),
);

const opensslVerify: Verify = (signature, signed, publicKey) => {
  const jwk = { kty: "OKP", crv: "Ed25519", x: Buffer.from(publicKey).toString("base64url") };
  return verify(null, signed, createPublicKey({ key: jwk, format: "jwk" }), signature);
};

const ed25519Verify: Verify = (signature, signed, publicKey) =>
  ed25519.verify(signature, signed, publicKey, { zip215: false }) &&
  opensslVerify(signature, signed, publicKey);

const only = <T>(items: Iterable<T>): T => {
  const [first = expect.fail("there is none"), ...others] = items;
  for (const other of others) expect(other).toEqual(first);
  return first;
};

const checkSigning = <P extends GroupPoint<P>>(scheme: Scheme<P>, verifies: Verify): void => {
  const shares = insecureSchemeShares(scheme, 3, parties);
  const publicKey = publicKeyOf(shares.get(testParty(1))?.info ?? expect.fail());

  test.each(quorums.map((signers) => [signers.join(", "), signers] as const))("signs by %s", (_, signers) => {
    const outcomes = runLockstep({ starts: frostStarts({ shares, signers, message }) });
    const signature = only(outputsOf(outcomes).values());
    expect(signature).toHaveLength(64);
    expect(verifies(signature, message, publicKey)).toBe(true);
    expect(verifies(signature, new Uint8Array(32), publicKey)).toBe(false);
  });

  it("signs with a key that its holders generated, in real sessions", () => {
    const holders = testParties(3);
    const made = outputsOf(
      runSessions<KeyShare<P>>({
        configs: testConfigs(holders, testSessionId("key")),
        start: ({ session, self }) =>
          startKeyGeneration({
            session,
            self,
            parties: holders,
            threshold: 2,
            keyId: "key-1",
            epoch: 0,
            scheme,
          }),
        seed: scheme.name,
      }).outcomes,
    );
    const signing = { shares: made, signers: [testParty(1), testParty(3)], message };
    const { outcomes } = runSessions<Uint8Array>({
      configs: testConfigs(signing.signers, testSessionId("FROST")),
      start: ({ self }) => startFrostSigning(frostConfig(signing, self)),
      seed: scheme.name,
    });
    const signature = only(outputsOf(outcomes).values());
    expect(verifies(signature, message, publicKeyOf(only([...made.values()].slice(0, 1)).info))).toBe(true);
  });

  it("signs messages of any length up to the limit, as they were when it started", () => {
    for (const length of [0, FROST_MESSAGE_BYTES_MAX]) {
      const buffer = new Uint8Array(length).fill(7);
      const starts = frostStarts({ shares, signers: parties.slice(0, 3), message: buffer });
      buffer.fill(0);
      const signature = only(outputsOf(runLockstep({ starts })).values());
      expect(verifies(signature, new Uint8Array(length).fill(7), publicKey)).toBe(true);
    }
  });
};

describe("FROST for Ed25519", () => checkSigning(FROST_ED25519, ed25519Verify));
describe("FROST for BIP-340", () => checkSigning(FROST_BIP340, schnorr.verify));
describe("FROST for Taproot", () => checkSigning(FROST_TAPROOT, schnorr.verify));

describe("P21 a Taproot key with a script tree", () => {
  const shares = insecureSchemeShares(FROST_TAPROOT, 3, parties);
  const merkleRoot = new Uint8Array(32).fill(0x5b);
  const { publicKey } = shares.get(testParty(1))?.info ?? expect.fail();
  /** BIP-341 by noble alone: lift_x(x(P)) + H_TapTweak(x(P) ‖ root)·G */
  const tweakedKey = (...root: readonly Uint8Array[]): Uint8Array => {
    const x = publicKey.toBytes(true).slice(1);
    const tweak = bytesToNumberBE(schnorr.utils.taggedHash("TapTweak", x, ...root));
    const { Point } = secp256k1;
    return schnorr.utils.lift_x(bytesToNumberBE(x)).add(Point.BASE.multiply(tweak)).toBytes(true).slice(1);
  };
  const signers = parties.slice(0, 3);

  it("signs under the key that is tweaked with the root, and under no other", () => {
    const starts = frostStarts({ shares, signers, message, merkleRoot });
    const signature = only(outputsOf(runLockstep({ starts })).values());
    expect(schnorr.verify(signature, message, tweakedKey(merkleRoot))).toBe(true);
    expect(taprootOutputKey(publicKey.toBytes(true), merkleRoot)).toEqual(tweakedKey(merkleRoot));
    expect(taprootOutputKey(publicKey.toBytes(true))).toEqual(tweakedKey());
    for (const other of [tweakedKey(), tweakedKey(new Uint8Array(32)), publicKey.toBytes(true).slice(1)]) {
      expect(schnorr.verify(signature, message, other)).toBe(false);
    }
  });

  it("makes no signature when its signers have different roots", () => {
    const starts = new Map([
      ...frostStarts({ shares, signers, message, merkleRoot }),
      ...[...frostStarts({ shares, signers, message })].slice(0, 1),
    ]);
    const kinds = [...runLockstep({ starts }).values()].map(({ kind }) => kind);
    expect(new Set(kinds)).toEqual(new Set(["fault"]));
  });
});

describe("a configuration that does not fit", () => {
  const shares = insecureSchemeShares(FROST_ED25519, 3, parties);
  const fit = frostConfig({ shares, signers: parties.slice(0, 3), message }, testParty(1));

  test.each<readonly [string, Partial<FrostSigningConfig<typeof fit.key.info.publicKey>>]>([
    ["t − 1 signers", { signers: [1, 2].map(testParty) }],
    ["t + 1 signers", { signers: parties.slice(0, 4) }],
    ["signers in another order", { signers: [2, 1, 3].map(testParty) }],
    ["a signer twice", { signers: [1, 2, 2].map(testParty) }],
    ["signers without us", { signers: [2, 3, 4].map(testParty) }],
    ["a signer without a share", { signers: [1, 2, 6].map(testParty) }],
    ["another party's share", { self: testParty(2) }],
    ["a message above the limit", { message: new Uint8Array(FROST_MESSAGE_BYTES_MAX + 1) }],
    ["a merkle root for a key that is not tweaked", { merkleRoot: new Uint8Array(32) }],
  ])("is refused before anything is sent: %s", (_, change) => {
    expect(() => startFrostSigning({ ...fit, ...change })).toThrow(RangeError);
  });

  it("is refused with a merkle root of another length", () => {
    const taproot = insecureSchemeShares(FROST_TAPROOT, 3, parties);
    const wrong = { shares: taproot, signers: parties.slice(0, 3), message, merkleRoot: new Uint8Array(31) };
    expect(() => frostStarts(wrong)).toThrow(RangeError);
  });

  it("is refused when the key is of a scheme that FROST does not sign for", () => {
    const key = insecureKeyShares(3, parties).get(testParty(1)) ?? expect.fail();
    expect(() =>
      startFrostSigning({
        session: fit.session,
        self: fit.self,
        signers: fit.signers,
        message,
        key,
      }),
    ).toThrow(/CGGMP24 makes no FROST signatures/);
  });
});

describe("P21 INV-2 nonces", () => {
  const shares = insecureSchemeShares(FROST_BIP340, 2, testParties(3));
  const signers = testParties(2);
  const [self, peer] = [testParty(1), testParty(2)];
  const signing = { shares, signers, message };

  const openedBy = (party: PartyIndex, seed: string) => {
    const step = startFrostSigning(frostConfig(signing, party))(seededEntropy(seed));
    return step.kind === "next" ? step : expect.fail();
  };
  const payloadOf = (party: PartyIndex, seed: string): Uint8Array =>
    openedBy(party, seed).messages[0]?.payload ?? expect.fail();
  const inbox = (payload: Uint8Array) => ({ broadcast: () => payload, direct: () => expect.fail() });

  it("answer one list of commitments: a second answer throws, for another list and for the same", () => {
    const { round } = openedBy(self, "own");
    const [list, other] = [inbox(payloadOf(peer, "list")), inbox(payloadOf(peer, "other"))];
    expect(round.advance(list, seededEntropy("")).kind).toBe("next");
    expect(() => round.advance(other, seededEntropy(""))).toThrow(/secret/);
    expect(() => round.advance(list, seededEntropy(""))).toThrow(/secret/);
  });

  it("are new in every run, and hang on the share as well as on the randomness", () => {
    const seen = [payloadOf(self, "a"), payloadOf(self, "b"), payloadOf(peer, "a")].flatMap((payload) => [
      Buffer.from(payload.slice(32, 65)).toString("hex"),
      Buffer.from(payload.slice(65)).toString("hex"),
    ]);
    expect(new Set(seen).size).toBe(6);
  });
});
