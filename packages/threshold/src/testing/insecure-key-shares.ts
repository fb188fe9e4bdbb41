import type { PartyIndex } from "../fault.ts";
import { multiplyBase, sampleScalar, scalar } from "../group.ts";
import type { KeyShare, PublicKeyInfo } from "../keygen/key-share.ts";
import { Secret } from "../secret.ts";
import { seededEntropy } from "./seeded-entropy.ts";

/**
 * INSECURE: a dealer that knows the whole key. What key generation would give, without running it: everybody's
 * share by party, of a polynomial fixed by the seed.
 */
export const insecureKeyShares = (
  threshold: number,
  parties: readonly PartyIndex[],
  seed = "key",
): ReadonlyMap<PartyIndex, KeyShare> => {
  const entropy = seededEntropy(`dealer/${seed}`);
  const coefficients = Array.from({ length: threshold }, () => sampleScalar(entropy));
  const shareOf = (at: number): bigint =>
    coefficients.reduceRight((sum, coefficient) => scalar(sum * BigInt(at) + coefficient), 0n);
  const info: PublicKeyInfo = {
    keyId: `insecure-${seed}`,
    threshold,
    parties,
    publicKey: multiplyBase(shareOf(0)),
    publicShares: new Map(parties.map((index) => [index, multiplyBase(shareOf(index))])),
    chainCode: entropy(32),
    epoch: 0,
  };
  return new Map(parties.map((self) => [self, { info, self, secretShare: new Secret(shareOf(self)) }]));
};
