import type { AuxiliaryInfo, OwnAuxiliary, PeerAuxiliary } from "../auxiliary/auxiliary-info.ts";
import type { AuxiliaryPrimes } from "../auxiliary/auxiliary-primes.ts";
import { sampleBelow, sampleUnit } from "../entropy.ts";
import { PARTIES_MAX, type PartyIndex, partyIndex } from "../fault.ts";
import { INSECURE_TEST_PARAMETERS } from "../insecure-test-parameters.ts";
import { paillierSecretKey } from "../paillier.ts";
import { ownRingPedersen } from "../ring-pedersen.ts";
import { Secret } from "../secret.ts";
import { INSECURE_BLUM_PRIMES, INSECURE_SAFE_PRIMES } from "./insecure-test-primes.ts";
import { seededEntropy } from "./seeded-entropy.ts";

/** The party indices 1 … count. */
export const testParties = (count: number): readonly PartyIndex[] =>
  Array.from({ length: count }, (_, i) => testParty(i + 1));

export const testParty = (index: number): PartyIndex => {
  const party = partyIndex(index);
  if (party === undefined) throw new RangeError(`party indices run from 1 to ${PARTIES_MAX}`);
  return party;
};

const primeAt = (primes: readonly bigint[], position: number): bigint => {
  const prime = primes[position];
  if (prime === undefined) throw new RangeError("there are test primes for twelve parties");
  return prime;
};

/** INSECURE. The published primes of party 1 … 12, different for each. */
export const insecureAuxiliaryPrimes = (party: number): AuxiliaryPrimes => ({
  p: primeAt(INSECURE_BLUM_PRIMES, 2 * party - 2),
  q: primeAt(INSECURE_BLUM_PRIMES, 2 * party - 1),
  pHat: primeAt(INSECURE_SAFE_PRIMES, 2 * party - 2),
  qHat: primeAt(INSECURE_SAFE_PRIMES, 2 * party - 1),
});

/** INSECURE. The keys of a party 1 … 12, from published primes and a fixed seed. */
export const insecureOwnAuxiliary = (party: number): OwnAuxiliary => {
  const { p, q, pHat, qHat } = insecureAuxiliaryPrimes(party);
  const entropy = seededEntropy(`ring-Pedersen/${party}`);
  const root = sampleUnit(entropy, pHat * qHat);
  const lambda = sampleBelow(entropy, (pHat - 1n) * (qHat - 1n));
  return {
    paillier: paillierSecretKey(p, q),
    pedersen: ownRingPedersen(pHat, qHat, (root * root) % (pHat * qHat), lambda),
  };
};

/** INSECURE. The auxiliary info of all parties, as auxiliary generation would output it, without running it. */
export const insecureAuxiliaryInfo = (
  parties: readonly PartyIndex[],
  epoch = 0,
): ReadonlyMap<PartyIndex, AuxiliaryInfo> => {
  const own = new Map(parties.map((party) => [party, insecureOwnAuxiliary(party)]));
  const peers = new Map<PartyIndex, PeerAuxiliary>();
  for (const [party, { paillier, pedersen }] of own) {
    peers.set(party, { paillier: paillier.publicKey, pedersen: pedersen.parameters });
  }
  const infos = new Map<PartyIndex, AuxiliaryInfo>();
  for (const [self, secrets] of own) {
    infos.set(self, {
      parties,
      self,
      epoch,
      parameters: INSECURE_TEST_PARAMETERS,
      peers,
      own: new Secret(secrets),
    });
  }
  return infos;
};
