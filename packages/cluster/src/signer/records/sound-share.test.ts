import {
  CGGMP24,
  encode,
  FROST_ED25519,
  type GroupPoint,
  keyDigest,
  keyShareCodec,
  publicKeyOf,
  type Scheme,
  Secret,
} from "@conclave/threshold";
import { insecureSchemeShares, testParties, testParty } from "@conclave/threshold/testing";
import { describe, expect, test } from "vitest";
import { isSoundShare, type SaidOfShare } from "./sound-share.ts";

const soundIn = <P extends GroupPoint<P>>(scheme: Scheme<P>): void => {
  const share = insecureSchemeShares(scheme, 2, testParties(3)).get(testParty(2)) ?? expect.fail("2 has one");
  const { info } = share;
  const { keyId, epoch, chainCode } = info;
  const said: SaidOfShare = {
    keyId,
    epoch,
    publicKey: publicKeyOf(info),
    chainCode,
    digest: keyDigest(info),
  };
  const written = encode(keyShareCodec(scheme), share);
  const isSound = (bytes: Uint8Array, self = 2, of: SaidOfShare = said): boolean =>
    isSoundShare(scheme.name, testParty(self), new Secret(bytes), of);
  const other = new Uint8Array(32).fill(9);

  test("a share as it was encoded is sound, with and without a digest", () => {
    expect(isSound(written)).toBe(true);
    const { digest: _, ...without } = said;
    expect(isSound(written, 2, without)).toBe(true);
  });

  test("no bit of it is another, wherever", () => {
    const kept = [...written.keys()].filter((at) =>
      isSound(written.with(at, (written[at] ?? 0) ^ (1 << (at % 8)))),
    );
    expect(kept).toEqual([]);
  });

  test.each<[string, Partial<SaidOfShare>]>([
    ["key", { keyId: `${keyId}x` }],
    ["epoch", { epoch: epoch + 1 }],
    ["public key", { publicKey: other }],
    ["chain code", { chainCode: other }],
    ["digest", { digest: other }],
  ])("a share is not sound for another %s", (_, changed) => {
    const { digest: __, ...bare } = said; // without the digest, which covers all other fields
    expect(isSound(written, 2, { ...bare, ...changed })).toBe(false);
  });

  test("a share of another signer is not sound", () => {
    expect(isSound(written, 3)).toBe(false);
  });
};

describe("CGGMP24", () => soundIn(CGGMP24));
describe("FROST on Ed25519", () => soundIn(FROST_ED25519));
