import { type GroupPoint, multiplyGenerator } from "../curve.ts";
import type { PartyIndex } from "../fault.ts";
import type { KeyShare, PublicKeyInfo } from "../keygen/key-share.ts";
import { CGGMP24, type Scheme } from "../scheme.ts";
import { Secret } from "../secret.ts";
import { evaluate, samplePolynomial } from "../sharing/polynomial.ts";
import { seededEntropy } from "./seeded-entropy.ts";

/**
 * INSECURE: a dealer that knows the whole key. The shares of all parties, as key generation would output
 * them, from a polynomial that the seed determines.
 */
export const insecureSchemeShares = <P extends GroupPoint<P>>(
  scheme: Scheme<P>,
  threshold: number,
  parties: readonly PartyIndex[],
  seed = "key",
): ReadonlyMap<PartyIndex, KeyShare<P>> => {
  const { curve } = scheme;
  const entropy = seededEntropy(`dealer/${seed}`);
  const polynomial = samplePolynomial(curve, threshold, entropy);
  const publicOf = (at: number): P => multiplyGenerator(curve, evaluate(curve, polynomial, at));
  const info: PublicKeyInfo<P> = {
    scheme,
    keyId: `insecure-${seed}`,
    threshold,
    parties,
    publicKey: publicOf(0),
    publicShares: new Map(parties.map((index) => [index, publicOf(index)])),
    chainCode: entropy(32),
    epoch: 0,
  };
  return new Map(
    parties.map((self) => [self, { info, self, secretShare: new Secret(evaluate(curve, polynomial, self)) }]),
  );
};

const dealt = new Map<string, ReadonlyMap<PartyIndex, KeyShare>>();
/** Each simulated world has keys of its own: the oldest ones are dealt anew where they are asked for again. */
const DEALT_MAX = 100;

/** INSECURE: the shares of an ECDSA key, the same for the same seed. The latest are kept, since crash tests ask for one key in each run. */
export const insecureKeyShares = (
  threshold: number,
  parties: readonly PartyIndex[],
  seed = "key",
): ReadonlyMap<PartyIndex, KeyShare> => {
  const name = `${threshold}/${parties.join()}/${seed}`;
  const shares = dealt.get(name) ?? insecureSchemeShares(CGGMP24, threshold, parties, seed);
  dealt.delete(name);
  dealt.set(name, shares);
  const [oldest] = dealt.keys();
  if (oldest !== undefined && dealt.size > DEALT_MAX) dealt.delete(oldest);
  return shares;
};
