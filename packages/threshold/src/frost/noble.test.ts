import type {
  FROST,
  FrostPublic,
  FrostSecret,
  NonceCommitments,
  Nonces,
} from "@noble/curves/abstract/frost.js";
import { ed25519_FROST } from "@noble/curves/ed25519.js";
import { schnorr_FROST, __TEST as taproot } from "@noble/curves/secp256k1.js";
import { bytesToNumberBE, bytesToNumberLE } from "@noble/curves/utils.js";
import { describe, expect, it } from "vitest";
import type { GroupPoint, Point } from "../curve.ts";
import type { PartyIndex } from "../fault.ts";
import type { KeyShare, PublicKeyInfo } from "../keygen/key-share.ts";
import { FROST_BIP340, FROST_ED25519, FROST_TAPROOT, type Scheme } from "../scheme.ts";
import { testParties, testParty } from "../testing/insecure-auxiliary.ts";
import { insecureSchemeShares } from "../testing/insecure-key-shares.ts";
import { seededEntropy } from "../testing/seeded-entropy.ts";
import type { Ciphersuite } from "./ciphersuite.ts";
import { dividedCommitment, generateNonces } from "./nonce.ts";
import { aggregate, isSignatureShare, shareChallenge, signatureShare } from "./signature-share.ts";

/** noble's FROST as the second library: our signers and noble's make one signature together. */

/** A test's randomness in noble's form. */
const rngOf =
  (seed: string) =>
  (length = 32): Uint8Array<ArrayBuffer> =>
    Uint8Array.from(seededEntropy(seed)(length));

const signers = [1, 2, 5].map(testParty);
const [ours, ...theirs] = signers;
const message = new TextEncoder().encode("signed by two implementations");
const EMPTY_SCRIPT_TREE = new Uint8Array(0);

const owned = (bytes: Uint8Array): Uint8Array<ArrayBuffer> => Uint8Array.from(bytes);

interface Adjusted {
  readonly info: FrostPublic;
  readonly secret: FrostSecret;
}
type Adjust = (adjusted: Adjusted) => Adjusted;

const untouched: Adjust = (adjusted) => adjusted;
const tweaked: Adjust = ({ info, secret }) => ({
  info: taproot.frostTweakPublic(info, EMPTY_SCRIPT_TREE),
  secret: taproot.frostTweakSecret(secret, info, EMPTY_SCRIPT_TREE),
});

const publicPackage = <P extends GroupPoint<P>>(noble: FROST, info: PublicKeyInfo<P>): FrostPublic => ({
  signers: { min: info.threshold, max: info.parties.length },
  // only key generation uses the commitments to the other coefficients
  commitments: Array.from({ length: info.threshold }, () => owned(info.publicKey.toBytes())),
  verifyingShares: Object.fromEntries(
    [...info.publicShares].map(([party, share]) => [
      noble.Identifier.fromNumber(party),
      owned(share.toBytes()),
    ]),
  ),
});

interface Signer {
  readonly id: string;
  readonly nonces: Nonces;
  readonly commitments: NonceCommitments;
  readonly key: Adjusted;
}

/** Makes one signature by one of our signers and noble's others; returns the values that each side computes. */
const signTogether = <P extends GroupPoint<P>>(
  noble: FROST,
  scheme: Scheme<P>,
  suite: Ciphersuite<P>,
  adjust: Adjust,
  seed: string,
) => {
  const { curve } = scheme;
  const shares = insecureSchemeShares(scheme, 3, testParties(5), seed);
  const shareOf = (party: PartyIndex): KeyShare<P> => shares.get(party) ?? expect.fail();
  const self = ours ?? expect.fail();
  const { info, secretShare } = shareOf(self);
  const idOf = (party: PartyIndex): string => noble.Identifier.fromNumber(party);
  const keyOf = (party: PartyIndex): Adjusted =>
    adjust({
      info: publicPackage(noble, info),
      secret: {
        identifier: idOf(party),
        signingShare: owned(suite.scalarBytes(shareOf(party).secretShare.reveal())),
      },
    });
  const point = (bytes: Uint8Array): P => curve.parsePoint(bytes) ?? expect.fail("not a point");

  const nonces = generateNonces(
    suite,
    secretShare.reveal(),
    new Uint8Array(0),
    seededEntropy(`noble/${seed}`),
  );
  const committed = (nonce: bigint): P => dividedCommitment(suite, nonce).clearCofactor();
  const own = { party: self, hiding: committed(nonces.hiding), binding: committed(nonces.binding) };
  const others = theirs.map((party) => {
    const key = keyOf(party);
    const committing = noble.commit(key.secret, rngOf(`noble/${seed}/${party}`));
    const signer: Signer = { id: idOf(party), key, ...committing };
    return { party, signer };
  });
  const list = [
    own,
    ...others.map(({ party, signer: { commitments } }) => ({
      party,
      hiding: point(commitments.hiding),
      binding: point(commitments.binding),
    })),
  ];
  const theirList = list.map(({ party, hiding, binding }) => ({
    identifier: idOf(party),
    hiding: hiding.toBytes(),
    binding: binding.toBytes(),
  }));
  const challenge =
    shareChallenge(suite, suite.signingKey(info.publicKey), list, message) ?? expect.fail("R");
  const ownShare = signatureShare(challenge, self, secretShare.reveal(), nonces);
  const theirShares = others.map(({ party, signer }) => ({
    party,
    bytes: noble.signShare(signer.key.secret, signer.key.info, signer.nonces, theirList, message),
  }));
  return { self, info, idOf, packaged: keyOf(self).info, theirList, challenge, ownShare, theirShares };
};

const checkTogether = <P extends GroupPoint<P>>(
  noble: FROST,
  scheme: Scheme<P>,
  suite: Ciphersuite<P>,
  toScalar: (bytes: Uint8Array) => bigint,
  adjust: Adjust,
  seed: string,
  signs = new Set<string>(),
): void => {
  const signing = signTogether(noble, scheme, suite, adjust, seed);
  const { self, info, idOf, packaged, theirList, challenge, ownShare, theirShares } = signing;
  signs.add(`${challenge.key.isNegated}/${challenge.areNoncesNegated}`);

  it(`each accepts the other's signature shares (${seed})`, () => {
    const bytes = suite.scalarBytes(ownShare);
    expect(noble.verifyShare(packaged, theirList, message, idOf(self), bytes)).toBe(true);
    for (const { party, bytes } of theirShares) {
      const publicShare = info.publicShares.get(party) ?? expect.fail();
      expect(isSignatureShare(challenge, party, publicShare, toScalar(bytes))).toBe(true);
    }
  });

  it(`both aggregate to one signature (${seed})`, () => {
    const signature = aggregate(challenge, [ownShare, ...theirShares.map(({ bytes }) => toScalar(bytes))]);
    const all = Object.fromEntries([
      [idOf(self), suite.scalarBytes(ownShare)],
      ...theirShares.map(({ party, bytes }) => [idOf(party), bytes]),
    ]);
    expect(signature).toEqual(noble.aggregate(packaged, theirList, message, all));
    expect(suite.verify(signature, message, suite.pointBytes(challenge.key.publicKey))).toBe(true);
  });
};

const suiteOf = <P extends GroupPoint<P>>({ frost }: Scheme<P>): Ciphersuite<P> =>
  frost ?? expect.fail("a scheme of FROST");

describe("with noble's FROST for Ed25519", () => {
  checkTogether(ed25519_FROST, FROST_ED25519, suiteOf(FROST_ED25519), bytesToNumberLE, untouched, "one");
});

/** Tests keys and nonce points of either sign, in all four combinations. */
const checkBothSigns = (scheme: Scheme<Point>, adjust: Adjust): void => {
  const signs = new Set<string>();
  for (const seed of ["one", "two", "three", "four", "five", "six"])
    checkTogether(schnorr_FROST, scheme, suiteOf(scheme), bytesToNumberBE, adjust, seed, signs);

  it("with keys and nonce points of either sign", () => {
    expect(signs).toHaveLength(4);
  });
};

describe("with noble's FROST for BIP-340", () => checkBothSigns(FROST_BIP340, untouched));
describe("with noble's FROST for BIP-340 and its own tweak of the key", () =>
  checkBothSigns(FROST_TAPROOT, tweaked));
