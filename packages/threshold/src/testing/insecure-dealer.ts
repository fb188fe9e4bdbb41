import type { AuxiliaryInfo, OwnAuxiliary } from "../auxiliary/auxiliary-info.ts";
import { sampleBelow, sampleUnit } from "../entropy.ts";
import { type PartyIndex, partyIndex } from "../fault.ts";
import { multiplyBase, sampleScalar, scalar } from "../group.ts";
import { INSECURE_TEST_PARAMETERS } from "../insecure-test-parameters.ts";
import type { KeyShare, PublicKeyInfo } from "../keygen/key-share.ts";
import { paillierSecretKey } from "../paillier.ts";
import type { Parameters } from "../parameters.ts";
import { ownRingPedersen } from "../ring-pedersen.ts";
import { Secret } from "../secret.ts";
import { INSECURE_BLUM_PRIMES, INSECURE_SAFE_PRIMES } from "./insecure-test-primes.ts";
import { seededEntropy } from "./seeded-entropy.ts";

/** A party by its number, for tests; throws when there is no such party. */
export const party = (index: number): PartyIndex => {
  const found = partyIndex(index);
  if (found === undefined) throw new RangeError(`no party ${index}`);
  return found;
};

/** Parties 1 to n. */
export const partiesUpTo = (n: number): readonly PartyIndex[] =>
  Array.from({ length: n }, (_, at) => party(at + 1));

/** INSECURE: knows the whole key. Deals shares of it, so that tests of presigning need no key generation. */
export const dealKey = (threshold: number, n: number, seed = "key"): ReadonlyMap<PartyIndex, KeyShare> => {
  const entropy = seededEntropy(`dealer/${seed}`);
  const coefficients = Array.from({ length: threshold }, () => sampleScalar(entropy));
  const shareOf = (at: number): bigint =>
    coefficients.reduceRight((sum, coefficient) => scalar(sum * BigInt(at) + coefficient), 0n);
  const parties = partiesUpTo(n);
  const info: PublicKeyInfo = {
    keyId: `insecure-${seed}`,
    threshold,
    parties,
    publicKey: multiplyBase(shareOf(0)),
    publicShares: new Map(parties.map((index) => [index, multiplyBase(shareOf(index))])),
    chainCode: entropy(32),
    epoch: 1,
  };
  return new Map(parties.map((self) => [self, { info, self, secretShare: new Secret(shareOf(self)) }]));
};

/** Where a dealer takes its primes from: `count` Blum or safe primes of parameters.primeBits bits. */
export interface DealtPrimes {
  readonly parameters: Parameters;
  readonly blum: readonly bigint[];
  readonly safe: readonly bigint[];
}

const PUBLISHED: DealtPrimes = {
  parameters: INSECURE_TEST_PARAMETERS,
  blum: INSECURE_BLUM_PRIMES,
  safe: INSECURE_SAFE_PRIMES,
};

/** INSECURE: knows every secret. Deals auxiliary info to n parties, by default from published primes. */
export const dealAuxiliary = (n: number, primes = PUBLISHED): ReadonlyMap<PartyIndex, AuxiliaryInfo> => {
  const parties = partiesUpTo(n);
  const entropy = seededEntropy("dealer/auxiliary");
  const pick = (from: readonly bigint[], at: number): bigint => {
    const prime = from[at];
    if (prime === undefined) throw new RangeError("too few primes for so many parties");
    return prime;
  };
  const owned = new Map<PartyIndex, OwnAuxiliary>();
  for (const index of parties) {
    const [first, second] = [2 * index - 2, 2 * index - 1];
    const [pHat, qHat] = [pick(primes.safe, first), pick(primes.safe, second)];
    const root = sampleUnit(entropy, pHat * qHat);
    const lambda = sampleBelow(entropy, (pHat - 1n) * (qHat - 1n));
    owned.set(index, {
      paillier: paillierSecretKey(pick(primes.blum, first), pick(primes.blum, second)),
      pedersen: ownRingPedersen(pHat, qHat, (root * root) % (pHat * qHat), lambda),
    });
  }
  const peers = new Map(
    [...owned].map(([index, own]) => [
      index,
      { paillier: own.paillier.publicKey, pedersen: own.pedersen.parameters },
    ]),
  );
  const infoOf = (self: PartyIndex, own: OwnAuxiliary): AuxiliaryInfo => ({
    parties,
    self,
    epoch: 1,
    parameters: primes.parameters,
    peers,
    own: new Secret(own),
  });
  return new Map([...owned].map(([self, own]) => [self, infoOf(self, own)]));
};
